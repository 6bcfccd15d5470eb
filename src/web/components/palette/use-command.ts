import { useNavigate } from '@tanstack/react-router'
import { useWorkspace } from '../shell/use-workspace.ts'

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
}

/** Returns what makes a command of an address, in the workspace that is shown. */
export function useCommand() {
  const navigate = useNavigate()
  const here = useWorkspace().workspace?.workspaceId
  return (label: string, target: Target, about?: string): Command => ({
    id: JSON.stringify([target, label]),
    label,
    about,
    run: () =>
      void navigate({
        to: target.to,
        params: target.params as never,
        search: { workspace: here, ...target.search } as never,
      }),
  })
}
