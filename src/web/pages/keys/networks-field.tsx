import { TagsInput } from '@mantine/core'
import { MAX_NETWORKS } from '../../limits.ts'

/** Networks that a key may be used from. What is typed or pasted becomes entries at spaces and commas. */
export const NetworksField = (props: object) => (
  <TagsInput
    label="May be used from"
    description={`Networks or addresses, such as 203.0.113.0/24 or 2001:db8::/32. Empty: from everywhere. At most ${MAX_NETWORKS}.`}
    splitChars={[',', ' ', '\n']}
    acceptValueOnBlur
    clearable
    {...props}
  />
)
