packer {
#> block packer
  required_plugins {
    docker = { source = "github.com/hashicorp/docker" }
  }
}
source "docker" "ubuntu" {
#> block source.docker.ubuntu
  image = "ubuntu"
}
build {
#> block build sig="build"
  name = "x"
  sources = ["source.docker.ubuntu"]
  provisioner "shell" { inline = ["echo"] }
}
job "web" {
#> block job.web
  group "app" {
    task "server" {}
  }
}
