const [KEPT, LONG] = [10, 24]

/** A long name in one line is cut in its middle: names often differ at their end alone. */
export function Middle({ children: name }: { children: string }) {
  const characters = [...name]
  if (characters.length <= LONG) return name
  return (
    <span className="middle">
      <span>{characters.slice(0, -KEPT).join('')}</span>
      <span>{characters.slice(-KEPT).join('')}</span>
    </span>
  )
}
