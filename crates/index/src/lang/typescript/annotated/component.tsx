import React, { type FC, useState } from 'react';
//> import React from react default
//> import FC from react FC
//> import useState from react useState

interface Props<T> {
//> interface Props vis=private
  items: T[];
//> field Props.items vis=public
  render?: (item: T) => React.ReactNode;
//> field Props.render mods=optional
}

/** Lists things. */
export function List<T>({ items, render }: Props<T>): JSX.Element {
//> function List vis=public cc=2 doc="Lists things." end=9 col=17
  const [open, setOpen] = useState<boolean>(false);
  const toggle = (): void => setOpen(!open);
//> function List.toggle vis=private cc=1

  return (
    <ul onClick={toggle}>
      {open && items.map((item) => <li>{render ? render(item) : null}</li>)}
//> function List.<lambda1> cc=2
    </ul>
  );
}

export const Title: FC<{ text: string }> = ({ text }) => <h1 title="}">{text}</h1>;
//> function Title vis=public cc=1 col=14

const identity = <T,>(value: T): T => value;
//> function identity vis=private cc=1 sig="const identity = <T,>(value: T): T"

enum Mode { Light, Dark }
//> enum Mode vis=private
//> enum_member Mode.Light
//> enum_member Mode.Dark

export class Panel extends React.Component<{ mode: Mode }, { open: boolean }> {
//> class Panel vis=public end=8 col=14
  state = { open: false };
//> field Panel.state vis=public
  private toggle = (): void => {
//> method Panel.toggle vis=private cc=2 end=2 col=11
    if (identity(this.state.open)) this.setState({ open: false });
  };
  render(): React.ReactNode {
//> method Panel.render vis=public cc=2
    return this.state.open ? <p onClick={this.toggle}>class Fake</p> : <></>;
  }
}

export default React.memo(Panel);
