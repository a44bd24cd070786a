#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# sweep_schedulers.sh BUILD SOURCE: the commands of docs/scene.md that hand a sweep to other schedulers, run as they stand there but for
# the number of runs and processes: mpirun with two processes, the line of a Slurm array for each of its tasks, the list in a shell.
# All of them have to come to the same numbers. Skipped (77) where mpirun is not installed.
set -euo pipefail
build=$1 source=$2
command -v mpirun >/dev/null || { echo "skipped: mpirun is not installed (Debian: openmpi-bin)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { printf '== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
# Open MPI asks root twice, and counts cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PATH=$build/examples/pliant:$PATH
unset DISPLAY
cd "$work"
cat >scene.yaml <<END
variables: {n: 1}
time: {duration: 0.3}
models: {cube: {file: $source/media/solids/jelly.obj, reduce: {modes: 2, dimension: 2, voxels: 4}}}
bodies: [{model: cube, position: [0, 0, = 0.2 + 0.1*n]}]
ground: {}
END

# documented START: the command line of the page that begins so, for a sweep of three runs
documented() {
  local line
  line=$(grep -m 1 "^    $1" "$source/docs/scene.md") || fail "docs/scene.md has no command $1"
  sed -e 's/^ *//' -e 's/ *# .*//' -e 's/n=1:64/n=1:3/' -e 's/-n 4 /-n 2 /' <<<"$line"
}
# numbers FOLDER: the state of every run, a line each
numbers() { for n in 0 1 2; do grep -o '"state_hash": *"[^"]*"' "$1/run_0000$n/stats.json" || fail "$1 has no run $n"; done; }

say "a list for a shell"
bash -c "$(documented 'pliant sweep scene.yaml --set n=1:64 --list')" >&2
[ "$(wc -l <jobs.txt)" = 3 ] || fail "the list has not three lines"
sh <jobs.txt >shell.log 2>&1 || fail "$(cat shell.log)"
numbers sweep >shell.txt
[ "$(sort -u shell.txt | wc -l)" = 3 ] || fail "runs with different values are the same: $(cat shell.txt)"
rm -r sweep

say "two processes of mpirun, of which none finds the model made"
timeout 120 bash -c "$(documented mpirun)" >mpi.log 2>&1 || fail "$(cat mpi.log)"
numbers sweep >mpi.txt
cmp shell.txt mpi.txt || fail "mpirun comes to other numbers"
[ "$(cat sweep/sweep_?_of_2.csv | grep -c '^[0-9]')" = 3 ] || fail "the tables of both processes have not three lines"
rm -r sweep

say "the tasks of a Slurm array"
wrapped=$(documented sbatch)
wrapped=${wrapped#*--wrap \'}
for task in 1 2 3; do SLURM_ARRAY_TASK_ID=$task sh -c "${wrapped%\'*}" >"slurm$task.log" 2>&1 || fail "$(cat slurm$task.log)"; done
numbers sweep >slurm.txt
cmp shell.txt slurm.txt || fail "a Slurm array comes to other numbers"
say "done"
