import { type BoxProps, TextInput } from '@mantine/core'

type Props = Pick<BoxProps, 'w' | 'maw'> & { label: string; typed: string; onType: (typed: string) => void }

/** A field above a list that narrows it while someone types. */
export const FindField = ({ label, typed, onType, ...width }: Props) => (
  <TextInput
    aria-label={label}
    placeholder={label}
    value={typed}
    onChange={(event) => onType(event.currentTarget.value)}
    {...width}
  />
)
