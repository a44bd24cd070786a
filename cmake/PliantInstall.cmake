# install and export
