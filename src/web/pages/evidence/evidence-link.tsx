import type { ReactNode } from 'react'
import { TextLink } from '../../components/links.tsx'

type Props = { contentHash: string; children: ReactNode; label?: string }

/** Leads from a price to where it was read. */
export const EvidenceLink = ({ contentHash, children, label }: Props) => (
  <TextLink
    to="/evidence/$contentHash"
    params={{ contentHash }}
    preload={false}
    underline="hover"
    inherit
    {...(label && { 'aria-label': label })}
  >
    {children}
  </TextLink>
)
