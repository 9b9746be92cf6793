const helper = () => 1;
//> function helper vis=private

export default (a) => {
//> function default vis=public mods=default cc=2 end=2
  if (a) helper();
};
