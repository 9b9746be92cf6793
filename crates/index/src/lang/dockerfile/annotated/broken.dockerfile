FROM alpine AS first
#> target first
#> import - from alpine -
ENV BEFORE=1
#> constant first.BEFORE
FROBNICATE this
ENV AFTER=1
#> constant first.AFTER
FROM
RUN [ "unclosed
FROM debian AS last
#> target last
#> import - from debian -
ARG END
#> constant last.END
