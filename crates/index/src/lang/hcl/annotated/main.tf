# Copyright somebody.

terraform {
#> block terraform sig="terraform" doc="" vis=public end=11 cc=0
  required_version = ">= 1.5"
  required_providers {
    aws = {
#> import aws from hashicorp/aws -
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
  backend "s3" {
    bucket = "state"
  }
}

provider "aws" {
#> block provider.aws sig="provider "aws"" end=2
  region = var.region
}

# A server
# of the web.
resource "aws_instance" "web" {
#> block aws_instance.web doc="A server of the web." end=19 col=1
  ami   = data.aws_ami.ubuntu.id # trailing
  count = var.enabled && local.many ? 2 : 0
  tags = {
    Name = "web-${var.name}"
    resource = "x"
  }
  lifecycle {
    ignore_changes = [tags]
  }
  provisioner "local-exec" {
    command = <<-EOT
      resource "no" "no" {}
      # no comment

      echo "${self.id}"
    EOT
  }
  dynamic "setting" { for_each = [1] }
}

/* Finds it. */
data "aws_ami" "ubuntu" { most_recent = true }
#> block data.aws_ami.ubuntu doc="Finds it." end=0

// Above.
variable "region" {
#> block var.region doc="Where to run." end=8
  description = "Where to run. Anywhere goes."
  type        = string
  default     = "eu-central-1"
  validation {
    condition     = length(var.region) > 0
    error_message = "description = none"
  }
}
variable name {}
#> block var.name sig="variable name"

output "ip" {
#> block output.ip doc="The address."
  # tflint-ignore: x
  description = "The address."
  value       = aws_instance.web.public_ip
}

module "vpc" {
#> block module.vpc
#> import vpc from terraform-aws-modules/vpc/aws -
  source  = "terraform-aws-modules/vpc/aws"
  version = "5.0.0"
}
module "local" {
#> block module.local
#> import local from ./modules/local -
  source = "./modules/local"
}

locals {
  # One.
  many = true
#> constant local.many sig="many = true" doc="One." vis=public

  # Not this.

  nested = { inner = { deep = 1 } } # trailing
#> constant local.nested sig="nested = { inner = { deep = 1 } }" doc=""
  text = <<EOT
#> constant local.text sig="text" end=2
    a = 1
EOT
  list = [for item in var.items : upper(item) if item != ""]
#> constant local.list
}

moved {
#> block moved
  from = aws_instance.old
  to   = aws_instance.web
}
check "health" {
#> block check.health
  assert {
    condition = true
  }
}
