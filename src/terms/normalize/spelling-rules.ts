/** Words as both kinds of English write them: a page may be served in either, and says the same. */
const PAIRS: [british: RegExp, american: string][] = [
  [/(?<=\p{L}{3})is(e|ed|es|er|ers|ing|ation|ations)$/u, 'iz$1'],
  [/(?<=\p{L}{3})ys(e|ed|es|ing)$/u, 'yz$1'],
  [/(?<=\p{L}{3})our(s|ed|ing|able|ite|al|ful|s)?$/u, 'or$1'],
  [/(?<=\p{L}{2})tre(s|d)?$/u, 'ter$1'],
  [/(?<=\p{L}{4})ll(ed|ing|er|ers|ation)$/u, 'l$1'],
  [/(?<=licen|defen|offen)c(e|es)$/u, 's$1'],
  [/(?<=practi)[sz](e|ed|es|ing)$/u, 'c$1'],
  [/(?<=fulfi|enro|insta)l(s|ment|ments)?$/u, 'll$1'],
  [/(?<=program)me(s?)$/u, '$1'],
  [/(?<=catalog|dialog)ue(s?)$/u, '$1'],
  [/(?<=judg|acknowledg)ement/u, 'ment'],
]
/** Words that no rule covers. */
const WORDS = new Map(Object.entries({
  grey: 'gray', greys: 'grays', cheque: 'check', cheques: 'checks', whilst: 'while', amongst: 'among', towards: 'toward',
  learnt: 'learned', spelt: 'spelled', focussed: 'focused', ageing: 'aging', artefact: 'artifact', artefacts: 'artifacts',
  sceptical: 'skeptical', tyre: 'tire', tyres: 'tires', enquiry: 'inquiry', enquiries: 'inquiries',
})) // biome-ignore format: a vocabulary reads best in lines
const SHORTEST = 6
/** No word of English is longer. */
const LONGEST = 40

/**
 * Returns a function that spells words of both kinds of English alike, and remembers them for one text. What it makes
 * need not be a word: it only has to be the same for two spellings of one.
 */
export function createSpeller(): (word: string) => string {
  const known = new Map<string, string>()
  return (word) => {
    const other = WORDS.get(word.toLowerCase())
    if (other !== undefined)
      return word[0] === word[0]!.toLowerCase() ? other : other[0]!.toUpperCase() + other.slice(1)
    if (word.length < SHORTEST || word.length > LONGEST) return word
    const before = known.get(word)
    if (before !== undefined) return before
    let spelled = word
    for (const [british, american] of PAIRS) spelled = spelled.replace(british, american)
    known.set(word, spelled)
    return spelled
  }
}
