type System = { React: { createElement: (...parts: unknown[]) => unknown } }

const asText =
  (create: System['React']['createElement']) =>
  ({ text }: { text: string }) =>
    create('span', null, text)

/** The path of an operation is in a button that opens it, in which a link could not be reached. The address changes all the same. */
export const plainPaths = ({ React }: System) => ({ components: { DeepLink: asText(React.createElement) } })
