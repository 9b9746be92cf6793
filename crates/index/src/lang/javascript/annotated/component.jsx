import React, { useState } from 'react';
//> import React from react default
//> import useState from react useState
import './style.css';
//> import - from ./style.css -

/** Greets someone. */
export function Greeting({ name = "you", children }) {
//> function Greeting vis=public cc=3 doc="Greets someone." end=7 col=17
  return (
    <div className="greeting">
      Hello, it's {name ? name : "nobody"}! const fake = 1; function nothing
      {children && <span>{children}</span>}
    </div>
  );
}

const Button = ({ label, onPress }) => (
//> function Button vis=private cc=1 end=2 col=7
  <button onClick={() => onPress && onPress(label)}>{label}</button>
//> function Button.<lambda1> cc=2
);

const Empty = () => <></>;
//> function Empty vis=private cc=1

export const Memo = React.memo(({ value }) => <b>{value}</b>);
//> constant Memo vis=public

export default function App({ items }) {
//> function App vis=public mods=default cc=2 end=16 col=25
  const [open, setOpen] = useState(false);
  const toggle = () => setOpen(!open);
//> function App.toggle vis=private cc=1

  function renderItem(item) {
//> function App.renderItem vis=private cc=2 end=3 col=12
    if (!item) return null;
    return <li key={item.id}>{item.text}</li>;
  }

  return (
    <ul style={{ color: "red" }} {...items.props}>
      {items.map(renderItem)}
      {open ? <Button label="</ul>" onPress={toggle} /> : <Empty />}
      <Foo.Bar render={(x) => <i>{x || "}"}</i>} />
    </ul>
  );
}

class Legacy extends React.Component {
//> class Legacy vis=private sig="class Legacy extends React.Component" end=9
  state = { open: false };
//> field Legacy.state vis=public
  static defaultProps = { label: "class Fake {}" };
//> field Legacy.defaultProps mods=static
  handle = (e) => {
//> method Legacy.handle vis=public cc=2
    if (e) this.setState({ open: true });
  };
  render() {
//> method Legacy.render vis=public cc=2
    return this.state.open && <p onClick={this.handle}>open</p>;
  }
}

Legacy.displayName = "Legacy";
const element = <Legacy a="1" />;
//> constant element vis=private
