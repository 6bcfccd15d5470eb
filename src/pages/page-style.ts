/** The app's colours, for light and dark: a test compares them with those the app shows. */
const COLOURS = `
:root {
  color-scheme: light dark;
  --text: #000; --quiet: #495057; --line: #ced4da; --page: #fff; --card: #fff; --hover: #f8f9fa; --accent: #087f5b; --link: #087f5b;
  --removed: #fdecec; --removed-word: #f9c6c6; --removed-text: #641723;
  --added: #e9f7ee; --added-word: #b4e3c5; --added-text: #123d26;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #dcdcdc; --quiet: #a6a6a6; --line: #424242; --page: #242424; --card: #292929; --hover: #2e2e2e; --link: #38d9a9;
    --removed: #2a1618; --removed-word: #72232d; --removed-text: #ffd1d9;
    --added: #12241a; --added-word: #20573b; --added-text: #c2f5d5;
  }
}
`

const FRAME = `
* { box-sizing: border-box }
html { scroll-padding-top: 3.5rem }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
a { color: var(--link); text-underline-offset: .15em }
a:focus-visible, summary:focus-visible, select:focus-visible, button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px }
.skip { position: absolute; left: -100vw }
.skip:focus { left: .5rem; top: .5rem; background: var(--card); padding: .5rem 1rem; z-index: 2 }
.bar { border-bottom: 1px solid var(--line) }
.bar > div, main, footer { max-width: 77.5rem; margin: 0 auto; padding: 0 1.25rem }
.bar > div { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.5rem; min-height: 3.5rem; padding-block: .5rem }
.bar nav { display: flex; flex-wrap: wrap; gap: .25rem; flex: 1; font-size: .875rem }
.bar nav a { color: inherit; text-decoration: none; padding: .35rem .7rem; border-radius: 8px }
.bar nav a:hover { background: var(--hover) }
.bar nav a[aria-current] { color: var(--link); font-weight: 600 }
.mark { display: flex; align-items: center; gap: .6rem; color: inherit; text-decoration: none; font-size: 1.125rem; font-weight: 700; letter-spacing: -.3px }
.button, button, select { font: inherit; font-size: .875rem; color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .4rem .9rem; max-width: 100% }
.button, button { font-weight: 600; text-decoration: none; cursor: pointer }
footer { margin-top: 3rem; padding-block: 1.25rem; border-top: 1px solid var(--line); font-size: .875rem }
`

const TEXT = `
h1 { font-size: 1.625rem; font-weight: 600; line-height: 1.35; margin: .25rem 0 }
h2 { font-size: 1.125rem; font-weight: 600; margin: 2.25rem 0 .75rem }
h3 { font-size: 1rem; font-weight: 600; margin: 0 0 .5rem }
.quiet, footer, .label { color: var(--quiet) }
.back { margin: 1.5rem 0 0; font-size: .875rem }
.lead { margin: 0 0 1.25rem; color: var(--quiet) }
.views { display: inline-flex; gap: .25rem; padding: .25rem; margin-bottom: 1rem; border-radius: 8px; background: var(--hover); border: 1px solid var(--line); font-size: .875rem }
.views a { padding: .25rem .8rem; border-radius: 6px; color: var(--text); text-decoration: none }
.views a[aria-current] { background: var(--page); font-weight: 600; box-shadow: 0 0 0 1px var(--line) }
.versions { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem; margin: 0 }
.versions > div, .changes, .part, .text, .contents { background: var(--card); border: 1px solid var(--line); border-radius: 8px }
.versions > div { padding: .8rem 1rem }
.versions dt { font-size: .875rem; color: var(--quiet) }
.versions dd { margin: 0 }
.versions dd + dd { color: var(--quiet); font-size: .875rem }
form { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem; margin: 1rem 0 0 }
label { display: grid; gap: .2rem; font-size: .875rem; color: var(--quiet); min-width: 0 }
.text { padding: .75rem 1.25rem }
.text > * { max-width: 54rem }
.text :is(h3, h4, h5), details :is(h3, h4, h5) { margin: 1.2rem 0 .35rem }
.text p, details p { margin: .5rem 0; white-space: pre-line }
.text > :not(.place), .place > :not(.cited) { margin-inline-start: 6.5rem }
.place { position: relative }
.cited { position: absolute; inset-inline-start: 0; width: 6rem; font-size: .8rem; line-height: 1.55rem; color: var(--quiet); text-decoration: none }
.cited:hover, .where a:hover { text-decoration: underline }
.place:target, .pair:target, h3:target { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px }
.depth-2 { padding-inline-start: 1.25rem } .depth-3 { padding-inline-start: 2.5rem } .depth-4 { padding-inline-start: 3.75rem }
.contents { padding: .9rem 1rem; font-size: .875rem; margin: 2.25rem 0 1rem; max-height: 40vh; overflow-y: auto }
.contents h2 { margin: 0 0 .4rem; font-size: 1rem }
.contents ol { list-style: none; margin: 0; padding: 0 }
.contents li { padding: .15rem 0 }
.contents .level-3 { padding-inline-start: 1rem }
.contents a { color: inherit; text-decoration: none }
.contents a:hover { text-decoration: underline }
.cite p { margin: 0; font-size: .875rem }
.history { padding: 0; margin: 0; list-style: none }
.history li { padding: .4rem 0; border-top: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .2rem 1rem; justify-content: space-between }
.notice { border-left: 3px solid var(--accent); padding: .5rem 1rem; background: var(--hover) }
@media (min-width: 64rem) {
  .reading:has(.contents) { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 1.5rem; align-items: start }
  .contents { position: sticky; top: 1rem; max-height: calc(100vh - 2rem) }
}
`

const DIFFERENCE = `
.changes { padding: 0; margin: 0; list-style: none }
.changes li { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; padding: .55rem 1rem }
.changes li + li { border-top: 1px solid var(--line) }
.clause, .where { color: var(--quiet); font-weight: 600 }
.count { white-space: nowrap; color: var(--quiet) }
.columns { display: grid; grid-template-columns: 1fr 1fr; position: sticky; top: 0; z-index: 1; background: var(--page); border-bottom: 1px solid var(--line); font-weight: 600; font-size: .875rem }
.columns p { margin: 0; padding: .6rem 1rem }
.part { margin: .9rem 0; overflow: hidden }
.part h3 { padding: .7rem 1rem; margin: 0; border-bottom: 1px solid var(--line) }
.pair { display: grid; grid-template-columns: 1fr 1fr }
.pair + .pair { border-top: 1px solid var(--line) }
.where { grid-column: 1 / -1; margin: 0; padding: .3rem 1rem; font-size: .8rem; background: var(--hover) }
.where a { color: inherit; text-decoration: none }
.side { padding: .65rem 1rem; min-width: 0 }
.side + .side { border-left: 1px solid var(--line) }
.side p { margin: 0; white-space: pre-line }
.label { font-size: .8rem; font-weight: 600 }
.same .label, .changed .label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.same { color: var(--quiet) }
:is(.changed, .removed) > .side:nth-last-child(2) { background: var(--removed) }
:is(.changed, .added) > .side:last-child { background: var(--added) }
del { background: var(--removed-word); color: var(--removed-text); text-decoration: line-through; border-radius: 3px }
ins { background: var(--added-word); color: var(--added-text); text-decoration: underline; text-underline-offset: .15em; border-radius: 3px }
.removed del, .added ins { background: none }
details { margin: .9rem 0; border: 1px dashed var(--line); border-radius: 8px }
summary { cursor: pointer; padding: .55rem 1rem; color: var(--quiet) }
details > :not(summary) { margin-inline: 1rem; max-width: 54rem }
`

const NARROW = `
@media (max-width: 46rem) {
  .bar > div, main, footer { padding-inline: 1rem }
  .bar nav { order: 1; flex-basis: 100%; margin-inline: -.7rem }
  .button { margin-inline-start: auto }
  .pair { grid-template-columns: 1fr }
  .columns, .side[aria-hidden] { display: none }
  .side + .side { border-left: 0 }
  .changed > .side + .side { border-top: 1px dashed var(--line) }
  .changed .label { position: static; width: auto; height: auto; clip-path: none }
  .text { padding-inline: 1rem }
  .text > :not(.place), .place > :not(.cited) { margin-inline-start: 0 }
  .cited { position: static; display: block; width: auto; margin-top: .75rem }
  .cited + * { margin-top: 0 }
}
@media print {
  .bar nav, .button, .views, form, .history, #versions, .skip, .contents { display: none }
  .columns { position: static }
  .reading:has(.contents) { display: block }
}
`

/** The whole style of the pages. It is inside each page, and the content security policy names its hash. */
export const PAGE_STYLE = [COLOURS, FRAME, TEXT, DIFFERENCE, NARROW].join('')
