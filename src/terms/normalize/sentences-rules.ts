const SENTENCE_END = /(?<=[.!?]["”')\]]?)\s+(?=["“(]?[\p{Lu}\p{N}])|(?<=[。！？])/u

/** The sentences of a line, or the line as it is. */
export const sentencesOf = (line: string): string[] => line.split(SENTENCE_END).filter((sentence) => sentence !== '')
