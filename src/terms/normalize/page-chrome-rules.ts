import { isBoilerplate } from './boilerplate-rules.ts'
import { consentWindows } from './consent-window-rules.ts'
import { hasDate } from './dates-rules.ts'
import { countWords, isSentence, LABEL_WORDS } from './label-rules.ts'
import { areOfOneKind, introduces, linkLines } from './link-lists-rules.ts'
import type { PlainLine } from './plain-text-rules.ts'

/** So many links in lines of their own that follow each other, or that end the page, are a menu. */
const MENU_LINKS = 4
const EDGE_LINKS = 3
/** The title of a menu: `Company`, `About us`. */
const TITLE_WORDS = 3

const isLabel = (line: PlainLine) =>
  isBoilerplate(line.plain) || (countWords(line.plain) <= LABEL_WORDS && !isSentence(line.plain))
const isTitle = (line: PlainLine | undefined) =>
  line !== undefined && isLabel(line) && countWords(line.plain) <= TITLE_WORDS && !/:.|\d/u.test(line.plain)

const siteOf = (target: string) =>
  /^https?:\/\/([^/:?#]+)/i.exec(target)?.[1]?.toLowerCase().split('.').slice(-2).join('.')

/** Where a site's footer sends its readers: as much its own as its other pages. */
const NETWORKS = new Set(
  'twitter.com x.com facebook.com linkedin.com youtube.com instagram.com github.com discord.gg discord.com tiktok.com reddit.com t.me threads.net bsky.app medium.com google.com apple.com whatsapp.com pinterest.com'.split(
    ' ',
  ),
)

/** The site the page belongs to: the one most of its lines of links lead to. */
function ownSite(lines: PlainLine[]): string | undefined {
  const counts = new Map<string, number>()
  for (const target of lines.flatMap((line) => line.targets)) {
    const site = siteOf(target)
    if (site) counts.set(site, (counts.get(site) ?? 0) + 1)
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1])
  return most && most[1] > 1 ? most[0] : undefined
}

/** The lines that are the document's: without menus, link rows, footers and the windows that ask for consent. */
export function withoutPageChrome(lines: PlainLine[]): PlainLine[] {
  const own = ownSite(lines)
  const leadsHome = (line: PlainLine) =>
    line.targets.filter((target) => isOwn(siteOf(target) ?? own)).length * 2 >= line.targets.length
  const isOwn = (site: string | undefined) => site === own || NETWORKS.has(site ?? '')
  const isMenu = (line: PlainLine) => line.targets.length > 0
  const content = linkLists(lines, isMenu)
  const chrome = new Set<number>()
  for (const [i, line] of lines.entries()) if (line.targets.length > 1 && leadsHome(line)) chrome.add(i)
  for (const [start, end] of runsOf(lines, isMenu)) {
    const menu = lines.slice(start, end).filter(isMenu)
    const links = menu.flatMap((line) => line.targets)
    if (links.length < MENU_LINKS || menu.filter(leadsHome).length * 2 < menu.length) continue
    for (let i = isTitle(lines[start - 1]) ? start - 1 : start; i < end; i++) chrome.add(i)
  }
  const last = lines.length - edge(lines.toReversed(), isMenu, leadsHome)
  for (let i = last < lines.length && isTitle(lines[last - 1]) ? last - 1 : last; i < lines.length; i++) chrome.add(i)
  const first = edge(lines, isMenu, leadsHome)
  for (let i = 0; i < first; i++) if (!lines[i]!.heading && !hasDate(lines[i]!.plain)) chrome.add(i)
  for (const i of [...consentWindows(lines), ...announcement(lines), ...generatedSummary(lines)]) chrome.add(i)
  return lines.flatMap((line, i) => (content.has(i) ? linkLines(line) : chrome.has(i) ? [] : [line]))
}

/**
 * The lines of links that belong to the document: a line before them says so, or they name documents of one kind. Headings
 * and links to parts of a page do not.
 */
function linkLists(lines: PlainLine[], isMenu: (line: PlainLine) => boolean): Set<number> {
  const found = new Set<number>()
  const isLink = (line: PlainLine | undefined) =>
    line !== undefined && isMenu(line) && !line.heading && !line.targets.some((target) => target.includes('#'))
  for (let start = 0; start < lines.length; start++) {
    let end = start
    while (isLink(lines[end])) end++
    const names = lines.slice(start, end).flatMap((line) => line.names)
    if (introduces(lines[start - 1]) || areOfOneKind(names)) for (let i = start; i < end; i++) found.add(i)
    start = Math.max(start, end)
  }
  return found
}

/** Lines of links in a row; one heading or label at a time may be between or before them. */
function runsOf(lines: PlainLine[], isMenu: (line: PlainLine) => boolean): [start: number, end: number][] {
  const runs: [number, number][] = []
  for (let i = 0; i < lines.length; i++) {
    if (!isMenu(lines[i]!)) continue
    let end = i + 1
    while (end < lines.length) {
      const [line, next] = [lines[end]!, lines[end + 1]]
      if (isMenu(line)) end++
      else if (next && isMenu(next) && isTitle(line)) end += 2
      else break
    }
    runs.push([i, end])
    i = end
  }
  return runs
}

/** How many lines at the beginning are a chrome: labels and at least as many lines of links, up to the last of these. */
function edge(
  lines: PlainLine[],
  isMenu: (line: PlainLine) => boolean,
  leadsHome: (line: PlainLine) => boolean,
): number {
  let [menus, home, length] = [0, 0, 0]
  for (const [i, line] of lines.entries()) {
    if (isMenu(line)) {
      menus += line.targets.length
      if (leadsHome(line)) home += line.targets.length
      if (menus >= EDGE_LINKS && menus * 2 >= i + 1 && home * 2 >= menus) length = i + 1
    } else if (!isLabel(line)) break
  }
  return length
}

const GENERATED = /^(?:ai-generated )?key takeaways$|^(?:page|ai) summary$/i
const SUMMARY_LINES = 15

/** What a site's software writes about the page, up to the next heading. */
function generatedSummary(lines: PlainLine[]): number[] {
  return lines.flatMap((line, start) => {
    if (!line.heading || !GENERATED.test(line.plain)) return []
    const next = lines.findIndex(({ heading }, i) => i > start && heading)
    if (next < 0 || next - start > SUMMARY_LINES) return [start]
    return Array.from({ length: next - start }, (_, i) => start + i)
  })
}

const ANNOUNCED =
  /^(?:we(?:'ve| have)? (?:recently |just )?updated (?:our|the|these)|nous avons (?:récemment )?mis à jour (?:notre|nos|la|les|ces)|wir haben (?:kürzlich )?(?:unsere?|die|diese)\b.{0,60} aktualisiert|hemos actualizado (?:nuestr[ao]s?|las?|los|el)|abbiamo aggiornato (?:la|le|il|i|l'))[ .]/iu
const ANNOUNCEMENT_LINES = 3
/** What says who may or must do something is more than an announcement. */
const BINDS =
  /\b(?:right|may|must|shall|agree|object|required|recht|müssen|droit|devez|derecho|deb[eé]is?|diritto|dovete)\b/iu

/** A bar above the title saying that some document of the site was updated: it is on every page of the site. */
function announcement(lines: PlainLine[]): number[] {
  const title = lines.findIndex((line) => line.heading)
  const start = lines.findIndex((line) => ANNOUNCED.test(line.plain))
  if (start < 0 || start > title || title - start > ANNOUNCEMENT_LINES) return []
  return Array.from({ length: title - start }, (_, i) => start + i).filter(
    (i) => !hasDate(lines[i]!.plain) && (i === start || !BINDS.test(lines[i]!.plain)),
  )
}
