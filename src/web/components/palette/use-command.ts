import { useNavigate } from '@tanstack/react-router'

/** Something that the palette opens or does. */
export type Command = {
  id: string
  label: string
  about?: string | undefined
  run: () => void
  /** The palette stays open: it shows more. */
  isMore?: boolean
}
export type CommandGroup = { label: string; commands: Command[] }

export type Target = {
  to: string
  params?: Record<string, string>
  search?: Record<string, string | string[] | undefined>
  hash?: string
}

/** Returns what makes a command of an address. The router adds the workspace that is shown. */
export function useCommand() {
  const navigate = useNavigate()
  return (label: string, target: Target, about?: string): Command => ({
    id: JSON.stringify([target, label]),
    label,
    about,
    run: () =>
      void navigate({
        to: target.to,
        params: target.params as never,
        search: (target.search ?? {}) as never,
        ...(target.hash && { hash: target.hash }),
      }),
  })
}
