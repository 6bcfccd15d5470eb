/** Hand-made legal texts for the tests of this room. */
export const TERMS = `# Terms of Service

Last updated: March 3, 2025

Welcome to Example. These terms govern your use of our services and form an agreement between you and Example, Inc.

## 1. Your account

You must be at least 16 years old to use the services. You are responsible for everything that happens under your account, and you agree to keep your password secret. Tell us at once when you think someone else has used it.

## 2. Your content

- You keep all rights in what you send to the services.
- We may use your content to provide the services, to comply with the law and to enforce our policies.
- We do not use your content to train our models unless you agree.

## 3. Payment

You pay the fees that the pricing page shows. Fees are due in advance and are not refunded, except where the law says otherwise. We may change them with 30 days notice.

| Plan | Fee |
| --- | --- |
| Basic | $10.00 |
| Team | $25.00 |

## 4. Liability

To the extent the law allows, our total liability is limited to the amount you paid us in the twelve months before the claim arose.
`

export const replaceIn = (text: string, from: string, to: string): string => {
  if (!text.includes(from)) throw new Error(`the text does not contain ${from}`)
  return text.replace(from, to)
}

export const SUBSTANTIVE = replaceIn(
  TERMS,
  'We do not use your content to train our models unless you agree.',
  'We use your content to train our models. You can object to this at any time in the settings of your account.',
)

/** A text of another size or subject, made of plain sentences. */
export const sentences = (count: number, subject: string): string =>
  Array.from(
    { length: count },
    (_, i) => `The ${subject} number ${i} is described here in a few words of its own.`,
  ).join('\n\n')

/** A contract with numbered clauses and a table. */
export const ADDENDUM = `# Data Processing Addendum

Effective: January 1, 2026

Last updated: December 1, 2025

## 1. Fees

1.1 The customer pays the fees of the price list in advance.

1.2 The provider may change the fees with 30 days notice.

## 2. Liability

The liability of the provider is limited to the fees of the last twelve months.

## 3. Sub-processors

The provider uses these sub-processors:

| Name | Country |
| --- | --- |
| Alpha Ltd | Ireland |
| Beta Inc | France |
`
export const LATER_ADDENDUM = [
  ['January 1, 2026', 'March 1, 2026'],
  ['December 1, 2025', 'February 1, 2026'],
  ['30 days', '14 days'],
  ['is limited', 'is not limited'],
  ['| Beta Inc | France |', '| Gamma GmbH | Germany |'],
].reduce((text, [from, to]) => replaceIn(text, from!, to!), ADDENDUM)
