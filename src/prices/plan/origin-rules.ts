/** Formats whose authors copy prices from one another: together they are one witness, not several. */
const FAMILIES = [['litellm', 'models-dev', 'genai-prices', 'openrouter', 'llm-prices']]

/** The formats that are no independent witness for a source of this format. */
export const familyOf = (format: string): string[] => FAMILIES.find((family) => family.includes(format)) ?? [format]
