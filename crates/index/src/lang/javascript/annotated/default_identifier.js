function chosen() {
//> function chosen vis=public cc=1
  return 1;
}

function other() {
//> function other vis=private
  return 2;
}

export default chosen;
