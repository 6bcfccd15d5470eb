/** A sentence: at least three words, and no markup. What it says is reviewed by reading, not by a test per word. */
const SENTENCE = /^[^<>{}]*\p{L}+[,.:;]?\s+\S+\s+\S[^<>{}]*$/u

/** Stryker's plugin that leaves out the mutants of wording: a whole sentence that becomes an empty string. */
const wording = {
  shouldIgnore({ node }) {
    if (node.type === 'StringLiteral' && SENTENCE.test(node.value)) return 'wording'
    if (node.type !== 'TemplateLiteral' || node.expressions.some(({ type }) => !PLAIN.has(type))) return undefined
    const text = node.quasis.map(({ value }) => value.cooked).join('x')
    return SENTENCE.test(text) ? 'wording' : undefined
  },
}
/** Parts of a template in which Stryker finds nothing to mutate. */
const PLAIN = new Set(['Identifier', 'MemberExpression'])

export const strykerPlugins = [{ kind: 'Ignore', name: 'wording', value: wording }]
