module judge

go 1.22
