// Lists and searches .well-known/repos.json. Whatever a stranger wrote is set as text, never as markup, and links lead by http and https alone.
"use strict";
(() => {
  const PAGE = 50;
  const at = (id) => document.getElementById(id);
  const state = { q: "", status: "", format: "", page: 0, repo: "" };
  let repos = [];
  let found = [];

  const make = (name, text, className) => {
    const element = document.createElement(name);
    if (text !== undefined && text !== null) element.textContent = String(text);
    if (className) element.className = className;
    return element;
  };

  const isWeb = (address) => {
    try {
      return ["https:", "http:"].includes(new URL(address).protocol);
    } catch {
      return false;
    }
  };

  const link = (address, text) => {
    if (!isWeb(address)) return make("span", text);
    const element = make("a", text);
    element.href = address;
    element.rel = "noopener noreferrer nofollow";
    return element;
  };

  const path = (id) => id.split("/").map(encodeURIComponent).join("/");
  const query = (changes) => {
    const next = { ...state, ...changes };
    const parameters = new URLSearchParams();
    for (const key of ["repo", "q", "status", "format"]) if (next[key]) parameters.set(key, next[key]);
    if (next.page) parameters.set("page", String(next.page + 1));
    return "?" + parameters.toString().replaceAll("%2F", "/");
  };

  const drift = (repo) => {
    if (typeof repo.commits_behind !== "number") return "age not known";
    if (repo.commits_behind === 0) return "current";
    return repo.commits_behind === 1 ? "one commit behind" : repo.commits_behind + " commits behind";
  };

  const go = (changes, replaces) => {
    Object.assign(state, changes);
    history[replaces ? "replaceState" : "pushState"](null, "", query({}));
    show();
  };

  // A click with a key or another button is the browser's: it opens another tab.
  const inside = (element, changes) => {
    element.href = query(changes);
    element.addEventListener("click", (event) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      go(changes);
      if (changes.repo) at("entry").focus();
    });
    return element;
  };

  const item = (repo) => {
    const line = make("li");
    line.append(inside(make("a", repo.id), { repo: repo.id }));
    const facts = [repo.status, repo.format, repo.status === "ok" ? drift(repo) : null];
    line.append(make("span", facts.filter(Boolean).join(" · "), "facts"));
    line.append(make("p", repo.description));
    return line;
  };

  const fact = (list, name, content) => {
    if (content === null || content === undefined || content === "") return;
    const value = make("dd");
    value.append(content instanceof Node ? content : String(content));
    list.append(make("dt", name), value);
  };

  const showEntry = () => {
    const section = at("entry");
    section.hidden = !state.repo;
    if (!state.repo) return;
    const key = state.repo.toLowerCase();
    const repo = repos.find((candidate) => candidate.key === key);
    at("entry-id").textContent = repo ? repo.id : state.repo;
    at("entry-about").textContent = repo
      ? repo.description
      : "This repository is not listed. If it was registered a short time ago, it waits for its first visit.";
    const list = at("entry-facts");
    list.replaceChildren();
    at("entry-close").href = query({ repo: "" });
    if (!repo) return;
    const names = repo.id.split("/");
    const hosted = names.length > 2 ? repo.id : "github.com/" + repo.id;
    fact(list, "Repository", link("https://" + hosted, hosted));
    fact(list, "Status", repo.status);
    fact(list, "Format", repo.format);
    if (repo.graph_url) fact(list, "Graph", link(repo.graph_url, repo.graph_url));
    if (repo.renamed_to) fact(list, "Renamed to", inside(make("a", repo.renamed_to), { repo: repo.renamed_to }));
    fact(list, "Made from", repo.source_sha);
    fact(list, "Newest commit", repo.head_sha);
    if (repo.status === "ok") fact(list, "Age", drift(repo));
    fact(list, "Looked at", repo.last_synced);
    fact(list, "SHA-256", repo.last_sha);
    fact(list, "Tags", (repo.tags || []).join(", "));
    const badge = make("img");
    badge.src = "badges/" + path(repo.key) + ".svg";
    badge.alt = "Badge: code graph, " + repo.status;
    fact(list, "Badge", badge);
  };

  const showList = () => {
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    found = repos.filter(
      (repo) =>
        (!state.status || repo.status === state.status) &&
        (!state.format || repo.format === state.format) &&
        words.every((word) => repo.text.includes(word)),
    );
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    state.page = Math.min(Math.max(0, state.page), pages - 1);
    at("list").replaceChildren(...found.slice(state.page * PAGE, (state.page + 1) * PAGE).map(item));
    at("told").textContent = found.length === 1 ? "1 repository" : found.length + " repositories";
    at("pages").hidden = pages === 1;
    at("where").textContent = "page " + (state.page + 1) + " of " + pages;
    at("before").disabled = state.page === 0;
    at("behind").disabled = state.page === pages - 1;
  };

  const show = () => {
    for (const key of ["q", "status", "format"]) if (at(key).value !== state[key]) at(key).value = state[key];
    showEntry();
    showList();
  };

  const read = () => {
    const parameters = new URLSearchParams(location.search);
    for (const key of ["q", "status", "format", "repo"]) state[key] = parameters.get(key) || "";
    state.page = Math.max(0, (parseInt(parameters.get("page"), 10) || 1) - 1);
  };

  const options = (select, values) => {
    for (const value of [...new Set(values)].filter(Boolean).sort()) {
      const option = make("option", value);
      option.value = value;
      select.append(option);
    }
  };

  const json = async (place) => {
    const reply = await fetch(place);
    if (!reply.ok) throw new Error(place + " was answered with " + reply.status);
    return reply.json();
  };

  const begin = async () => {
    at("told").textContent = "Loading";
    json(".well-known/code-graph-registry.json").then(
      (about) => {
        const name = about && about.service && about.service.name;
        if (typeof name === "string" && name) at("name").textContent = document.title = name;
      },
      () => {},
    );
    const list = await json(".well-known/repos.json");
    if (list.schema_version !== 1) throw new Error("repos.json is of another version");
    repos = list.repos.filter((repo) => repo && typeof repo.id === "string");
    for (const repo of repos) {
      repo.key = repo.id.toLowerCase();
      repo.text = [repo.id, repo.description, repo.format, ...(repo.tags || [])].join(" ").toLowerCase();
    }
    options(at("status"), repos.map((repo) => repo.status));
    options(at("format"), repos.map((repo) => repo.format));
    at("search").hidden = false;
    at("search").addEventListener("submit", (event) => event.preventDefault());
    let waiting;
    at("q").addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => go({ q: at("q").value, page: 0 }, true), 150);
    });
    for (const key of ["status", "format"]) {
      at(key).addEventListener("change", () => go({ [key]: at(key).value, page: 0 }));
    }
    inside(at("entry-close"), { repo: "" });
    const turn = (step) => {
      go({ page: state.page + step });
      at("list").focus();
    };
    at("before").addEventListener("click", () => turn(-1));
    at("behind").addEventListener("click", () => turn(1));
    window.addEventListener("popstate", () => {
      read();
      show();
    });
    read();
    show();
  };

  begin().catch((error) => {
    at("told").textContent = "The list cannot be shown: " + error.message;
  });
})();
