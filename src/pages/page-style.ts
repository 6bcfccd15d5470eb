/** The whole style of the pages. It is inside each page, and the content security policy names its hash. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --text: #1c2024; --quiet: #60646c; --line: #dcdfe4; --page: #fcfcfd; --card: #ffffff; --accent: #0b62c4;
  --removed: #fdecec; --removed-word: #f9c6c6; --removed-text: #641723;
  --added: #e9f7ee; --added-word: #b4e3c5; --added-text: #123d26;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #edeef0; --quiet: #b0b4ba; --line: #363a3f; --page: #111113; --card: #18191b; --accent: #78b7ff;
    --removed: #2a1618; --removed-word: #72232d; --removed-text: #ffd1d9;
    --added: #12241a; --added-word: #20573b; --added-text: #c2f5d5;
  }
}
* { box-sizing: border-box }
html { scroll-padding-top: 4rem }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere }
a { color: var(--accent); text-underline-offset: .15em }
a:focus-visible, summary:focus-visible, select:focus-visible, button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px }
.skip { position: absolute; left: -100vw }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .25rem .75rem; z-index: 2 }
.bar { border-bottom: 1px solid var(--line); background: var(--card) }
.bar > *, main, footer { max-width: 78rem; margin: 0 auto; padding: 0 1.25rem }
.bar p { padding-block: .7rem; font-weight: 600; letter-spacing: -.01em }
h1 { font-size: clamp(1.6rem, 1.2rem + 1.6vw, 2.2rem); line-height: 1.2; letter-spacing: -.02em; margin: 2rem 0 .35rem }
h2 { font-size: 1.2rem; letter-spacing: -.01em; margin: 2.5rem 0 .75rem }
h3 { font-size: 1rem; margin: 0 0 .5rem }
details :is(h3, h4, h5), .text :is(h3, h4, h5) { margin: 1.2rem 0 .35rem }
.depth-2 { padding-inline-start: 1.25rem } .depth-3 { padding-inline-start: 2.5rem } .depth-4 { padding-inline-start: 3.75rem }
.quiet, footer, .label { color: var(--quiet) }
.lead { margin: 0 0 1.5rem; color: var(--quiet) }
.versions { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin: 0 }
.versions > div { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .8rem 1rem }
.versions dt { font-size: .85rem; color: var(--quiet) }
.versions dd { margin: 0; font-variant-numeric: tabular-nums }
.versions dd + dd { color: var(--quiet); font-size: .9rem }
form { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem; margin: 1rem 0 0 }
label { display: grid; gap: .2rem; font-size: .85rem; color: var(--quiet); min-width: 0 }
select, button { font: inherit; font-size: .95rem; color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .45rem .7rem; max-width: 100% }
button { cursor: pointer; font-weight: 600 }
.changes { padding: 0; margin: 0; list-style: none; border: 1px solid var(--line); border-radius: 10px; background: var(--card) }
.changes li { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; padding: .55rem 1rem }
.changes li + li { border-top: 1px solid var(--line) }
.clause { color: var(--quiet); font-variant-numeric: tabular-nums; font-weight: 600 }
.count { font-variant-numeric: tabular-nums; white-space: nowrap; color: var(--quiet) }
.columns { display: grid; grid-template-columns: 1fr 1fr; position: sticky; top: 0; z-index: 1; background: var(--page); border-bottom: 1px solid var(--line); font-weight: 600; font-size: .9rem }
.columns p { margin: 0; padding: .6rem 1rem }
.part { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin: .9rem 0; overflow: hidden }
.part h3 { padding: .7rem 1rem; margin: 0; border-bottom: 1px solid var(--line) }
.pair { display: grid; grid-template-columns: 1fr 1fr }
.pair + .pair { border-top: 1px solid var(--line) }
.side { padding: .65rem 1rem; min-width: 0 }
.side + .side { border-left: 1px solid var(--line) }
.side p { margin: 0; white-space: pre-line }
.label { font-size: .8rem; font-weight: 600 }
.same .label, .changed .label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.same { color: var(--quiet) }
.changed > :first-child, .removed > :first-child { background: var(--removed) }
.changed > :last-child, .added > :last-child { background: var(--added) }
del { background: var(--removed-word); color: var(--removed-text); text-decoration: line-through; border-radius: 3px }
ins { background: var(--added-word); color: var(--added-text); text-decoration: underline; text-underline-offset: .15em; border-radius: 3px }
.removed del, .added ins { background: none }
details { margin: .9rem 0; border: 1px dashed var(--line); border-radius: 10px }
summary { cursor: pointer; padding: .55rem 1rem; color: var(--quiet) }
details > :not(summary) { margin-inline: 1rem; max-width: 46rem }
.text { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .5rem 1.25rem }
.text > * { max-width: 46rem }
.text p, details p { margin: .5rem 0; white-space: pre-line }
.history { padding: 0; margin: 0; list-style: none }
.history li { padding: .4rem 0; border-top: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .2rem 1rem; justify-content: space-between }
.notice { border-left: 3px solid var(--accent); padding: .5rem 1rem; background: var(--card) }
footer { margin-top: 3rem; padding-block: 1.25rem; border-top: 1px solid var(--line); font-size: .9rem }
@media (max-width: 46rem) {
  .bar > *, main, footer { padding-inline: 1rem }
  .versions, .pair { grid-template-columns: 1fr }
  .columns, .side[aria-hidden] { display: none }
  .side + .side { border-left: 0 }
  .changed > .side + .side { border-top: 1px dashed var(--line) }
  .changed .label { position: static; width: auto; height: auto; clip-path: none }
}
@media print { form, .history, .skip { display: none } .columns { position: static } }
`
