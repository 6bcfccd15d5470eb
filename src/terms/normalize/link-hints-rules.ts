/** Where a link opens, as pages say for readers who cannot see it. */
const HINTS =
  / ?\(?(?:(?:link )?opens (?:(?:the )?page )?(?:in )?(?:a |an )?(?:new|external) (?:window|tab|site)|s'ouvre dans une? nouvel(?:le)? (?:onglet|fenêtre)|öffnet (?:sich )?in (?:einem )?neue[nm] (?:fenster|tab)|se abre en una (?:nueva )?(?:ventana|pestaña)(?: nueva)?|si apre in una nuova (?:finestra|scheda))(?![\p{L}\p{N}])\)?/giu
const HINT_WORD = /\b(?:new|external|nouvel|neue|nueva|nuova)/iu

/** A line without hints about where its links open. Most lines have none. */
export const withoutLinkHints = (line: string): string => (HINT_WORD.test(line) ? line.replace(HINTS, '') : line).trim()
