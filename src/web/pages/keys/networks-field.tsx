import { Textarea } from '@mantine/core'
import { MAX_NETWORKS } from '../../limits.ts'

/** Networks that a key may be used from, as a text: what is pasted from elsewhere works. */
export const NetworksField = (props: object) => (
  <Textarea
    label="May be used from"
    description={`Networks or addresses, such as 203.0.113.0/24 or 2001:db8::/32, with spaces, commas or lines between. Empty: from everywhere. At most ${MAX_NETWORKS}.`}
    autosize
    minRows={2}
    maxRows={8}
    {...props}
  />
)
