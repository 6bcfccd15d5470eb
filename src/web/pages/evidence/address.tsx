import { Anchor } from '@mantine/core'

/** Only web addresses become links; whatever else a list says stays text. */
export const Address = ({ address }: { address: string | undefined }) => {
  if (address === undefined) return <>an address that was not kept</>
  if (!/^https?:\/\//i.test(address)) return <>{address}</>
  return (
    <Anchor href={address} target="_blank" rel="noopener noreferrer nofollow" inherit>
      {address}
    </Anchor>
  )
}
