/** American spellings of words that British English spells otherwise, by their ends or stems. */
const AMERICAN: [british: RegExp, american: string][] = [
  [/(?<=defen|licen|offen|practi|preten)c(?=(?:e[sd]?|ing)$)/iu, 's'],
  [/(?<=\p{L}{3})is(?=(?:e[sdr]?|ers|ing|ations?)$)/iu, 'iz'],
  [/(?<=anal|catal|paral)ys(?=(?:e[sdr]?|ing)$)/iu, 'yz'],
  [/(?<=behavi|col|endeav|fav|flav|harb|hon|hum|lab|neighb|rum|sav|vap|vig)our/iu, 'or'],
  [/(?<=cent|fib|lit|met|theat)re(?=[sd]?$)/iu, 'er'],
  [/(?<=cancel|channel|counsel|fuel|label|level|model|signal|total|travel)l(?=(?:ed|er|ers|ing)$)/iu, ''],
  [/(?<=^among|^whil)(?:e|st)?$/iu, ''],
  [/^programme(?=s?$)/iu, 'program'],
  [/^judgement(?=s?$)/iu, 'judgment'],
  [/^fulfil(?=$|ment$|s$)/iu, 'fulfill'],
]

/** Returns a word in American spelling. Other words may change too: all that matters is which are the same. */
export const inAmericanSpelling = (word: string): string =>
  AMERICAN.reduce((spelled, [british, american]) => spelled.replace(british, american), word)

/** Returns a word in American spelling, and in that of French before 1990: évènement was événement. */
export const inOneSpelling = (word: string): string => inAmericanSpelling(word).replace(/(?<=\p{L})è(?=\p{L})/giu, 'é')
