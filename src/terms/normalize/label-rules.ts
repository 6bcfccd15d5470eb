/** A line this short that is no sentence may be a label of a menu. */
export const LABEL_WORDS = 12
const SENTENCE_WORDS = 6

export const countWords = (text: string) => text.split(' ').length
export const isSentence = (text: string) => /[.;:。]["')\]]*$/.test(text) && countWords(text) >= SENTENCE_WORDS
