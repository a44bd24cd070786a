// SPDX-License-Identifier: Zlib
// What every block of a scene file may say: the one place that knows it.
#include "pliant/scene/SceneKeys.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "pliant/runtime/Settings.h"
#include "pliant/scene/SceneText.h"

namespace pliant::scene {
namespace {

// A block in brackets with a sentence, then its keys: key | type | range | unit | default | what it means. Types are
// those of KeyRow; a range has its least and its most value. The word of_integrators stands for those of the run time.
const char* const kText = R"(
[scene] The whole file.
version | integer | 1..2 | | 1 | of the language that the file is written in
include | texts | | | | other scene files that come before this one
units | block units | | | | of this file, not of those that it includes
prefabs | map prefab | | | | parts of a scene that stand there several times
instances | list instance | | | | where they stand
variables | map number | | | | numbers with names
materials | map material | | | | what surfaces look like
layers | map texts | | | | who meets whom
gravity | vector | -1e4..1e4 | m/s^2 | [0, 0, -9.81] | acceleration of everything that moves
time | block time | | | | how long, and in which steps
solver | block solver | | | | how exactly
models | map model | | | | reduced models, and meshes that become such
bodies | list body | | | | groups of reduced bodies
rigid | list rigid | | | | groups of Bullet's own bodies
joints | list joint | | | | what holds bodies together
tool | list tool | | | | bodies in hands
touch | list touch | | | | pairs with distributed contact
ground | block ground | | | none | a plane across up
camera | block camera | | | one that sees everything | where one looks from
detail | block detail | | | off | level of detail
light | block light | | | the sun | the sun
lights | list lights | | | | the sun and lamps
environment | block environment | | | | what is around
show | block show | | | nothing | what is drawn of that which cannot be seen
cameras | map named_camera | | | | cameras with names
views | list view | | | one | cameras in rectangles of the picture
shots | list shot | | | | which camera from when on
output | output | | | a film and a picture | what a run writes
fields | list field | | | | forces that fill space
sensors | list sensor | | | | what is measured
events | list event | | | | what happens when
animate | list animation | | | | numbers along keys
record | list record | | | | files of numbers over time
expect | list expectation | | | | what has to hold

[units] In which the numbers of a file are written.
length | word m cm mm km um in ft | | | m | of lengths, speeds and accelerations

[time] How long, and in which steps.
duration | number | 1e-3..3600 | s | 5 | simulated time
frames_per_second | integer | 1..1000 | 1/s | 30 | pictures in a simulated second
substeps | integer | 1..1000 | | 4 | steps in a picture

[solver] How exactly.
iterations | integer | 1..1000 | | 10 | of the contact solver in a step
double_precision | boolean | | | false | of the reduced stiffness
tangent_tolerance | number | 0..1 | | 0 | share by which a stiffness that is used again may have changed
margin | number | 0..1e3 | m | 0 | around everything that collides of a reduced body

[camera] A camera that stands.
from | vector | -1e6..1e6 | m | required | the eye
to | vector | -1e6..1e6 | m | required | what it looks at
field_of_view | number | 1..150 | degrees | 35 | vertical

[detail] Level of detail, seen from the scene's camera.
pixels | number | 1..1e5 | pixels | 150 | bodies this large across have all coordinates
least | integer | 1..200 | | 6 | coordinates that every body keeps
quiet_energy | number | 0..1e6 | J/kg | 0 | bodies that deform less keep the least; 0 = off

[light] The sun.
direction | vector | -1e6..1e6 | | over the shoulder | the way its light travels
brightness | number | 0..100 | | 1 | of the sun
shadow | shadow | | | true | whether there are shadows

[shadow] The sun's shadows.
size | integer | 16..8192 | texels | 2048 | side of the shadow map: more is sharper and slower
softness | number | 0..50 | texels | 2.5 | radius of the penumbra
distance | number | 0..1e6 | m | 0 | from the eye up to which there are shadows; 0 = as far as one sees

[lights] The sun or a lamp.
name | text | | | | of a lamp
kind | word sun point spot | | | required | what it is
direction | vector | -1e6..1e6 | | over the shoulder | sun: the way its light travels
at | vector of t | -1e5..1e5 | m | required | lamps: where it stands
to | vector | -1e5..1e5 | m | required | spot: a point on the axis of its cone
cone | number | 1..170 | degrees | 40 | spot: the whole angle
colour | colour | 0..1 | | | of its light
brightness | number of t | 0..1e6 | | 1 | of what faces it; of a lamp at 1 m
shadow | shadow | | | true | sun: whether there are shadows

[show] What is drawn of that which cannot be seen.
segments | boolean | | | false | capsule segments that bodies touch with
contacts | boolean | | | false | where bodies touch, normals and impulses
joints | boolean | | | false | what joints hold, and their limits
frames | boolean | | | false | frames of bodies, boxes around them, bones
activity | boolean | | | false | who sleeps, and at which level of detail
energies | boolean | | | false | energy of each elastic shape of the first body
spheres | boolean | | | false | bounding spheres of one level
objects | boolean | | | false | what else collides, as Bullet draws it
pressure | boolean | | | false | pressure of distributed contact, in colours on the surfaces
largest_pressure | number | 1e-6..1e15 | Pa | the largest of the moment | what has the last colour of the scale
impulse_time | number | 1e-6..1e3 | s | 0.1 | impulses are as long as the way that they alone take a body in this time
hidden | number | 0..1 | | 0.25 | how strongly what is behind other things is drawn

[environment] What is around.
sky | block sky | | | | its colours
image | text | | | none | an equirectangular picture in place of the sky
background | colour | 0..1 | | none | one colour in place of the sky, and that of the haze
light | block ambient | | | | light from all sides
haze | number | 0..100 | 1/m | by the scene's size | density
exposure | number | 0.01..100 | | 1 | factor on all light

[sky] The sky's colours.
zenith | colour | 0..1 | | blue | above
horizon | colour | 0..1 | | grey | all around, and that of the haze

[ambient] Light from all sides.
above | colour | 0..1 | | of the sky | from the sky
below | colour | 0..1 | | of the ground | from the ground

[named_camera] A camera with a name: it stands, follows, goes round, or along a path, recorded or not.
from | vector | -1e5..1e5 | m | | the eye of one that stands
to | vector | -1e5..1e5 | m | | what it looks at
follow | name | | | | the body that it moves with
offset | vector | -1e5..1e5 | m | required with follow | from the centre of mass to the eye, world axes
lag | number | 0..100 | s | 0 | in which it makes up for all but a third
orbit | block orbit | | | | the circle that it goes round
path | list camera_key | | | | places with times
file | text | | | | a path that key z of a window has recorded (.path), m
field_of_view | number | 1..150 | degrees | 35 | vertical

[orbit] The circle that a camera goes round.
around | vector | -1e5..1e5 | m | required | what it looks at
radius | number | 1e-3..1e5 | m | required | of the circle
height | number | -1e5..1e5 | m | 0 | above what it looks at
period | number | -1e6..1e6 | s | 0 | of a turn; 0 = it stands
start | number | -3600..3600 | degrees | 0 | where it is at the start

[camera_key] A place of a camera.
at | number | 0..1e6 | s | required | when
from | vector | -1e5..1e5 | m | required | the eye
to | vector | -1e5..1e5 | m | required | what it looks at

[view] A rectangle of the picture.
camera | name | | | required | what it shows
area | four | 0..1 | | [0, 0, 1, 1] | left, bottom, width and height, shares of the picture

[shot] From a time on the first view shows another camera.
camera | name | | | required | which
from | number | 0..1e6 | s | required | when

[film_and_picture] What a run writes: a film and a picture.
name | text | | | the scene file's | of both
size | size | 16..8192 | pixels | [1280, 720] | even numbers
picture_at | number | 0..3600 | s | the end | moment of the picture

[output] A file that a run writes: one of these.
film | block output_file | | | | all frames
pictures | block output_file | | | | some frames, numbered
picture | block output_file | | | | one frame
states | block output_file | | | | where everything is
gltf | block output_file | | | | the whole run for modellers
usd | block output_file | | | | the whole run as Universal Scene Description
vtu | block output_file | | | | bent simulation meshes for ParaView
csv | block output_file | | | | where every body is, a table
trace | block output_file | | | | the numbers of every frame

[output_file] A file in the output folder.
file | text | | | required | its name; of pictures with a number: a_%05d.png
size | size | 16..8192 | pixels | the scene's | of films and pictures
camera | name | | | views and shots | of films and pictures
every | number | | s | every frame | of pictures, states, glTF, USD, VTU and tables
at | number | 0..3600 | s | the end | of a picture
speed | number | 0.01..100 | | 1 | film: simulated seconds in one of the film

[material] What a surface looks like.
colour | colour | 0..1 | | the surface's own | linear RGB; with a texture it multiplies it
texture | text | | | the surface's own | an image
normal_map | text | | | none | an image of normals, laid on as the texture is; green is up
two_sided | boolean | | | false | back faces are drawn, too
roughness | number | 0..1 | | 0.6 | 0 = mirror, 1 = chalk
metal | number | 0..1 | | 0 | how much of the mirrored light has the surface's colour
opacity | number | 0..1 | | 1 | 0 = not seen

[model] A reduced model, or a mesh that becomes one.
file | text | | | required | .pliant, or a mesh
reduce | block reduce | | | | how to reduce a mesh
rig | block rig | | | | how to give flesh to a rigged character (.glb, .gltf)
keep | text | | | in the output folder | where the reduced model is kept
damping | block damping | | | 2 % of critical, 1 % of a step at least | of the deformation; a block has 0 for what it does not say
newmark | block newmark | | | | of the implicit step
integrator | word of_integrators | | | newmark | how q moves
coupling | word none inertia full | | | full | how rotation and deformation act on each other
self_contact | boolean | | | false | whether a body touches itself
colour | colour | 0..1 | | the model's own | drawn in place of its colours and textures
materials | map name | | | | materials of the mesh, drawn as those of the scene

[damping] Of the deformation.
mass | number | 0..1e6 | 1/s | 0 | Rayleigh's alpha
stiffness | number | 0..1e3 | s | 0 | Rayleigh's beta
strain_rate | number | 0..1e3 | s | 0 | of models with strain-rate damping
form | word rest current | | | rest | of the stiffness that damps

[reduce] How to reduce a mesh; docs/reduction.md tells more.
modes | integer | 0..500 | | 20 | linear modes
dimension | integer | 1..200 | | 30 | reduced coordinates
fixed | regions | | | | what is held: a file, a region, or several
regions | regions | | | | parts of other materials
voxels | integer | 0..1000 | | 0 | bricks along the longest side of a surface; 0 = chosen
solid | boolean | | | closed ones are | fills a closed surface
thickness | number | 1e-6..1e3 | m | | of the wall of a shell
up | word x y z | | | z | the axis of the mesh that points up
units | word m cm mm km um in ft | | | m | of the mesh
young | number | 1e-6..1e15 | Pa | the mesh's, or 1e7 | Young's modulus
poisson | number | -0.999..0.499 | | the mesh's, or 0.45 | Poisson's ratio
density | number | 1e-6..1e6 | kg/m^3 | the mesh's, or 1000 | of the material
surface | text | | | | a drawn .obj for a simulation mesh
crease | number | 0..180 | degrees | 40 | edges that are sharper are drawn so
refine | number | 0..0.999 | share | 0.03 | edges between whose ends the body's own weight bends it by more than this share of the largest displacement are halved; 0 keeps the triangles
contact | word auto segments surface | | | auto | what touches
tolerance | number | 0..0.999 | | | share of the energy that may be left out
derivatives | word none static shifted shifted-minres | | | | of modes
centrifugal | boolean | | | false | modes of spinning bodies
strain_rate | boolean | | | false | with strain-rate damping
lumped | boolean | | | false | mass at the vertices
sketch | text | | | | a file of recorded forces, static
snapshots | text | | | | a file of recorded forces, in time

[rig] How to give flesh to a rigged character; docs/characters.md tells more.
base | word flesh skin | | | flesh | shape that the flesh comes to rest in: its own, or the artist's
core | number | 0.001..0.999 | share | 0.3 | radius of what a bone holds, of the way from it to the surface
young | number | 1e-6..1e15 | Pa | 1e6 | Young's modulus
poisson | number | -0.999..0.499 | | 0.4 | Poisson's ratio
density | number | 1e-6..1e6 | kg/m^3 | 1000 | of the flesh
law | word linear stvk | | | linear | of its elasticity
modes | integer | 1..500 | | 32 | linear modes that the basis is made of
dimension | integer | 1..200 | | 48 | reduced coordinates
voxels | integer | 0..256 | | 0 | bricks along the longest side; 0 = chosen

[newmark] Of the implicit step.
gamma | number | 0.5..1 | | 0.5 | above 0.5 it damps what the step cannot resolve
iterations | integer | 1..100 | | 1 | of Newton in a step

[prefab] A part of a scene, in a frame of its own.
parameters | map number | | | | numbers with defaults
bodies | list body | | | | groups of reduced bodies
rigid | list rigid | | | | groups of Bullet's own bodies
joints | list joint | | | | what holds bodies together
sensors | list sensor | | | | what is measured
touch | list touch | | | | pairs with distributed contact
instances | list instance | | | | of other prefabs

[instance] Where a prefab stands.
prefab | name | | | required | which
name | text | | | required | before those of what is in it
position | vector | -1e5..1e5 | m | [0, 0, 0] | of its frame
rotation | vector | -3600..3600 | degrees | [0, 0, 0] | of its frame, about x, then y, then z
with | map number | | | | values of its parameters

[body] A group of reduced bodies.
name | text | | | | for joints, sensors and events
model | name | | | required | one of models, or a reduced model by its file (.pliant), with the defaults of models
position | vector of t | -1e5..1e5 | m | [0, 0, 0] | of the body, the grid's middle, or the stack's foot; of t where kinematic
rotation | vector of t | -3600..3600 | degrees | [0, 0, 0] | about x, then y, then z; of t where kinematic
grid | block grid | | | | copies in rows
stack | block stack | | | | copies on each other
jitter | block jitter | | | | moves each copy a little
motion | word free anchored kinematic | | | free | who moves it
velocity | vector | -1e4..1e4 | m/s | [0, 0, 0] | at the start; of kinematic ones always
angular_velocity | vector | -1e4..1e4 | rad/s | [0, 0, 0] | at the start; of kinematic ones always
friction | number | 0..100 | | 0.5 | of a pair the product
restitution | number | 0..1 | | 0 | share of the approaching speed
rolling_friction | number | 0..100 | m | 0 | lever against rolling
spinning_friction | number | 0..100 | m | 0 | lever against spinning
contact_stiffness | number | 1e-3..1e12 | N/m | none | penalty contact: force for each metre of depth, of a strand's contact, or of a solid on its largest face
contact_damping | number | 0..1e12 | N s/m | 0 | penalty contact: force for each m/s of approach
clip | text | | | the first | of characters: what they do, over and over
speed | number | -100..100 | | 1 | of characters: seconds of the clip in a second
phase | phase | -1e6..1e6 | share | 0 | of characters: where in the clip they begin; random: each somewhere
drive | word clip ragdoll | | | clip | of characters: what moves their bones; ragdoll: nobody, from the start
sleep | boolean | | | true | whether it may fall asleep
spawn | block spawn_pool | | | | it waits for events
layer | name | | | none | one of layers
colours | colours | 0..1 | | white | of the copies in turn
materials | map name | | | those of the model | materials of the mesh, drawn as those of the scene

[rigid] A group of Bullet's own bodies.
name | text | | | | for joints, sensors and events
shape | word box sphere capsule cylinder mesh cone hull multisphere compound heightfield plane | | | required | what it is
size | vector | 1e-6..1e5 | m | [1, 1, 1] | box: whole edges
radius | number | 1e-6..1e5 | m | 0.5 | sphere, capsule, cylinder, cone
height | number | 1e-6..1e5 | m | 1 | capsule (between the centres of its caps), cylinder, cone, along z
file | text | | | required | mesh, hull: a surface; heightfield: a table of heights (.csv)
scale | number | 1e-6..1e5 | | 1 | mesh, hull; heightfield: metres in a unit of its heights
spacing | number | 1e-6..1e5 | m | required | heightfield: from a height to the next, along x and y
spheres | list sphere_part | | | required | multisphere: the balls that it is the hull of
parts | list rigid_part | | | required | compound: what it is made of
pieces | boolean | | | false | hull: one for each connected piece of the surface
mass | number | 0..1e9 | kg | 0 | 0 = it stands
continuous | boolean | | | false | its flight is tested, so that it does not pass through what is thinner than its step
kinematic | boolean | | | false | the scene moves it
position | vector of t | -1e5..1e5 | m | [0, 0, 0] | as of bodies
rotation | vector of t | -3600..3600 | degrees | [0, 0, 0] | as of bodies
grid | block grid | | | | copies in rows
stack | block stack | | | | copies on each other
jitter | block jitter | | | | moves each copy a little
velocity | vector | -1e4..1e4 | m/s | [0, 0, 0] | at the start; of kinematic ones always
angular_velocity | vector | -1e4..1e4 | rad/s | [0, 0, 0] | at the start; of kinematic ones always
friction | number | 0..100 | | 0.5 | of a pair the product
restitution | number | 0..1 | | 0 | share of the approaching speed
rolling_friction | number | 0..100 | m | 0 | lever against rolling
spinning_friction | number | 0..100 | m | 0 | lever against spinning
contact_stiffness | number | 1e-3..1e12 | N/m | none | penalty contact: force for each metre of depth, of a strand's contact, or of a solid on its largest face
contact_damping | number | 0..1e12 | N s/m | 0 | penalty contact: force for each m/s of approach
sleep | boolean | | | true | with a mass: whether it may fall asleep
colour | colour | 0..1 | | grey | drawn
material | name | | | none | one of materials, in place of the colour
layer | name | | | none | one of layers
spawn | block spawn_pool | | | | it waits for events

[sphere_part] A ball of a multisphere.
position | vector | -1e5..1e5 | m | [0, 0, 0] | its centre, in the frame of the body
radius | number | 1e-6..1e5 | m | 0.5 | of it

[rigid_part] A part of a compound.
shape | word box sphere capsule cylinder cone | | | required | what it is
size | vector | 1e-6..1e5 | m | [1, 1, 1] | box: whole edges
radius | number | 1e-6..1e5 | m | 0.5 | sphere, capsule, cylinder, cone
height | number | 1e-6..1e5 | m | 1 | capsule (between the centres of its caps), cylinder, cone, along z
position | vector | -1e5..1e5 | m | [0, 0, 0] | of its middle, in the frame of the body
rotation | vector | -3600..3600 | degrees | [0, 0, 0] | about x, then y, then z of the body

[grid] Copies in rows.
count | integers | 1..1000 | | required | along x, y and z
spacing | spacing | 1e-6..1e5 | m | required | one number, or three

[stack] Copies on each other, against gravity.
count | integer | 1..1000 | | required | how many
spacing | number | 1e-6..1e5 | m | required | from one to the next

[jitter] Seeded chance.
position | number | 0..1e5 | m | 0 | largest move along each axis
rotation | number | 0..180 | degrees | 0 | largest turn about some axis
seed | seed | 0..2147483647 | | 1 | of the chances

[spawn_pool] Bodies that wait for events.
most | integer | 1..1000 | | required | how many

[ground] A plane across up.
height | number | -1e5..1e5 | m | 0 | along up
friction | number | 0..100 | | 0.8 | of a pair the product
restitution | number | 0..1 | | 0 | share of the approaching speed
rolling_friction | number | 0..100 | m | 0 | lever against rolling
spinning_friction | number | 0..100 | m | 0 | lever against spinning
contact_stiffness | number | 1e-3..1e12 | N/m | none | penalty contact: force for each metre of depth, of a strand's contact, or of a solid on its largest face
contact_damping | number | 0..1e12 | N s/m | 0 | penalty contact: force for each m/s of approach
colour | colour | 0..1 | | grey | drawn, with a grid
material | name | | | none | one of materials, in place of colour and grid
tile | number | 1e-3..1e5 | m | 1 | side of the square that its texture is laid on, over and over

[joint] What holds a body, or two bodies together.
name | text | | | | for sensors and events
kind | word point hinge slider fixed spring points | | | required | what it allows
between | names | | | required | a body and the world, or two
at | vector | -1e5..1e5 | m | this or point | where, in the world; not of points
point | vector | -1e5..1e5 | m | this or at | where, of the first body; not of points
points | list held_point | | | required of points | those of the first body that are held together, the most important first
tolerance | number | 0..1 | | 1e-4 | points: share of its mobility that a direction must keep beside the points before it to be held
axis | vector | -1e5..1e5 | | [0, 0, 1] | hinge, slider: in the world, or of the first body
limits | pair | -1e5..1e5 | degrees or m | none | hinge, slider: least and most
motor | block motor | | | none | hinge, slider
stiffness | number | 0..1e12 | N/m | required | spring
damping | number | 0..1e12 | N s/m | 0 | spring
offset | vector | -1e5..1e5 | m | [0, 0, 0] | spring: from the point to its other end, world axes
breaking_impulse | number | 0..1e12 | N s | unbreakable | in a step
collide | boolean | | | false | whether the joined bodies touch

[held_point] A point of a joint of kind points.
point | vector | -1e5..1e5 | m | required | of the first body: of its mesh at rest
to | vector of t | -1e5..1e5 | m | where it is at the start | where it is held in the world
move | vector of t | -1e5..1e5 | m | [0, 0, 0] | from where it is at the start to where it is held, world axes

[motor] Of a hinge or a slider.
velocity | number | -1e4..1e4 | rad/s or m/s | required | that it comes to
strength | number | 0..1e12 | N m or N | required | at most

[tool] A body in a hand: it follows a device through a spring of six degrees of freedom.
name | text | | | | for sensors
body | name | | | required | whom it holds: a body, or one of its copies
grip | vector | -1e5..1e5 | m | [0, 0, 0] | the point that is held, of the material at rest
stiffness | number | 1e-3..1e9 | N/m | 800 | of the force
torque_stiffness | number | 1e-6..1e9 | N m | 8 | of the torque, k sin(angle / 2)
max_force | number | 1e-6..1e9 | N | none | that it saturates at
max_torque | number | 1e-6..1e9 | N m | none | that it saturates at
damping | number | 0..100 | | 1 | share of the critical one
limits | pair | 1e-4..1e6 | m/s, degrees/s | [0.6, 360] | largest speeds
dynamics | word dynamic static thread | | | dynamic | with its mass, in the steps of the world; without; or without, in cycles of its own beside them
device | word path still udp mouse gamepad spacemouse spacemouse_hid | | | required | what moves it
path | text | | | required | path: a .csv of poses over time
port | integer | 1..65535 | | required | udp: of this machine
rate | number | 40..1e5 | 1/s | one a step; thread: 1000 | readings of the device; thread: its cycles
scale | number | 1e-6..1e6 | | 1 | of the device's ways from its first pose on
device_force | number | 0..1e6 | N | 8.5 | the device can render
device_torque | number | 0..1e6 | N m | 0.3 | the device can render

[touch] Pairs that touch by distributed contact: pressure by depth on many points of a solid's surface.
between | names | | | required | solids whose points these are, and what they touch; one side: whatever it touches
stiffness | number | 1e-3..1e18 | Pa/m | 1e8, or of the layer | of the pressure; hertz: Pa/m^(1/2)
layer | block touch_layer | | | | an elastic layer in place of the stiffness
law | word linear hertz stiffening | | | linear | how pressure grows with depth
max_depth | number | 1e-9..1e3 | m | 1e-3 | stiffening: the depth of its pole
damping | number | 0..1e3 | s | 0 | pressure times 1 + damping * rate of depth
friction | number | 0..100 | | that of both bodies | coefficient of the pair
two_way | boolean | | | false | two solids: the points of both, each for half of the pressure
points | integer | 1..4000000 | | 5000 | on the surface, about
levels | integer | 1..8 | | 3 | of detail, a fourth of the points each
budget_us | number | 0..1e6 | us | any time | that a pair may be booked at in a step; twice that for 20 ms when levels change
penalty | block touch_penalty | | | | springs and dampers at the everyday contacts of the pair, in place of all of these; nothing where an entry without a second side gives the first distributed contact with everything

[touch_layer] An elastic layer on a surface: stiffness = young / thickness.
young | number | 1e-3..1e15 | Pa | required | its modulus
thickness | number | 1e-9..1e3 | m | required | of it

[touch_penalty] Penalty contact of one pair, whatever its bodies ask for.
stiffness | number | 0..1e12 | N/m | required | of each contact, of a solid on its largest face; 0: rigid contact
damping | number | 0..1e9 | N s/m | 0 | of the same

[field] A force that fills space.
name | text | | | | for whoever reads the file
kind | word wind drag vortex attractor gravity | | | required | what it does
of | names | | | all that moves | whom it acts on
velocity | vector of t x y z | -1e4..1e4 | m/s | required | wind
acceleration | vector of t x y z | -1e4..1e4 | m/s^2 | required | gravity
density | number | 0..1e5 | kg/m^3 | 1.2 | of the air
drag | number | 0..1e3 | | 1 | coefficient
at | vector | -1e5..1e5 | m | [0, 0, 0] | vortex, attractor
axis | vector | -1e5..1e5 | | [0, 0, 1] | vortex
strength | number of t | | rad/s or m^3/s^2 | required | vortex, attractor
core | number | 1e-6..1e5 | m | 1 | vortex, attractor: within it they are gentle

[sensor] What is measured after every step.
name | text | | | required | in expressions
kind | word contact region point joint energy hand strain bodies | | | required | what
between | names | | | required | contact: one side or two
box | block box | | | everywhere | region, of which it is required; contact: where the first side lies at rest, in its mesh frame
material | text | | | of any | contact: where the first side is of it
filter | number | 0..1e6 | s | 0.05 | contact: time constant of the filtered force
of | names | | | all that moves | region, energy, bodies; required of point, strain, joint and hand
point | vector | -1e5..1e5 | m | [0, 0, 0] | point, strain: of the material at rest

[box] A box along the axes.
from | vector | -1e5..1e5 | m | required | the corner with the least x, y and z
to | vector | -1e5..1e5 | m | required | the other one

[event] When something happens, and what: one of at, every and when.
at | number | 0..1e6 | s | | once
every | number | | s | | again and again
from | number | 0..1e6 | s | 0 | every: the first time
until | number | | s | the end | every: the last time
when | condition | | | | whenever it has become true
for | number | 0..1e6 | s | 0 | when: it has been true for so long
once | boolean | | | false | when: the first time alone
do | actions | | | required | what

[action] What an event does: one of these, or stop.
set | block set | | | | gives a number a value at once
animate | block lead | | | | leads a placement to a value
push | block push | | | | an impulse
spawn | block spawn | | | | brings in bodies that wait
remove | names | | | | takes bodies out; REGION.bodies are those in a region
join | names | | | | joints hold again
part | names | | | | joints let go
picture | text | | | | a picture of this moment, .png or .jpg
save | text | | | | keeps the state of the world under a name
restore | text | | | | takes the world back to a state that was kept
cut | name | | | | the first view shows this camera
say | text | | | | tells something; {EXPRESSION} in it is its value
ragdoll | names | | | | nobody drives the bones of these characters any more
clip | block to_clip | | | | ragdolls are driven by their clips again
stop | alone | | | | ends the run; it stands without a value

[set] Gives a number a value at once.
what | live_number | | | required | which
to | number of sensors | | as of what | required | the value

[lead] Leads a placement to a value.
what | live_number | | | required | position or rotation of a kinematic group, one component
to | number of sensors | | as of what | required | the value
in | number | 0..1e6 | s | required | how long it takes

[to_clip] Ragdolls are driven by their clips again.
of | names | | | required | which
in | number | 0..1e6 | s | 0.5 | how long their bones take

[push] An impulse.
of | names | | | required | on whom
impulse | vector of sensors | -1e9..1e9 | N s | required | on each of them
point | vector | -1e5..1e5 | m | the centre of mass | of the material at rest

[spawn] Brings in bodies that wait.
of | name | | | required | a group with spawn
count | number of sensors | 0..1000 | | 1 | how many
position | vector of sensors | -1e5..1e5 | m | required | where
velocity | vector of sensors | -1e4..1e4 | m/s | [0, 0, 0] | of the centre of mass
jitter | block live_jitter | | | | moves each a little

[live_jitter] Seeded chance of what comes in.
position | number | 0..1e5 | m | 0 | largest move along each axis
rotation | number | 0..180 | degrees | 0 | largest turn about some axis
seed | number of sensors | 0..1e9 | | 1 | of the chances

[animation] A number along keys.
what | live_number | | | required | which
keys | keys | | s, value | required | by time
repeat | boolean | | | false | after the last key it begins again
between | word linear smooth steps | | | linear | how

[record] A file of numbers over time.
file | text | | | required | .csv or .jsonl
every | number | | s | every step | how often
of | names | | | required | quantities of sensors, bodies and joints; or a contact sensor, of which each contact is written
each | boolean | | | false | of groups a number for each body

[expectation] What has to hold.
at | moment | | s | end | when
that | condition | | | required | what
)";

KeyRow rowOf(const std::string& line) {
    std::vector<std::string> parts;
    std::istringstream text(line);
    for (std::string part; std::getline(text, part, '|');) parts.push_back(trimmed(part));
    parts.resize(6);
    KeyRow row;
    row.key = parts[0];
    std::istringstream type(parts[1]);
    type >> row.type;
    for (std::string word; type >> word;)
        if (word == "of_integrators")
            for (const char* name : integratorNames()) row.words.emplace_back(name);
        else
            row.words.push_back(word);
    const std::size_t dots = parts[2].find("..");
    if (dots != std::string::npos) {
        row.hasRange = true;
        row.least = std::strtod(parts[2].substr(0, dots).c_str(), nullptr);
        row.most = std::strtod(parts[2].substr(dots + 2).c_str(), nullptr);
    }
    row.unit = parts[3];
    row.fallback = parts[4];
    row.sentence = parts[5];
    return row;
}

std::vector<KeyTable> readTables() {
    std::vector<KeyTable> tables;
    std::istringstream text(kText);
    for (std::string line; std::getline(text, line);) {
        if (line.empty()) continue;
        if (line[0] != '[') {
            tables.back().rows.push_back(rowOf(line));
            continue;
        }
        const std::size_t close = line.find(']');
        tables.push_back({line.substr(1, close - 1), trimmed(line.substr(close + 1)), {}});
    }
    return tables;
}

}  // namespace

const KeyRow* KeyTable::find(const std::string& key) const {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const KeyRow& row) { return row.key == key; });
    return found == rows.end() ? nullptr : &*found;
}

std::vector<std::string> KeyTable::words() const {
    std::vector<std::string> all;
    for (const KeyRow& row : rows) all.push_back(row.key);
    return all;
}

const std::vector<KeyTable>& sceneKeys() {
    static const std::vector<KeyTable> tables = readTables();
    return tables;
}

const KeyTable& sceneKeys(const std::string& block) {
    for (const KeyTable& table : sceneKeys())
        if (table.name == block) return table;
    static const KeyTable none;  // of a block that the language does not have
    return none;
}

}  // namespace pliant::scene
