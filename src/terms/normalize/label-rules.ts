const SENTENCE_WORDS = 6

export const countWords = (text: string) => text.split(' ').length
export const isSentence = (text: string) => /[.;:。]["')\]]*$/.test(text) && countWords(text) >= SENTENCE_WORDS
