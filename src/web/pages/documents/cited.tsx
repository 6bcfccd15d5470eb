import { getRouteApi, useLocation } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { useEffect } from 'react'
import classes from './difference.module.css'

const route = getRouteApi('/reading/documents/$provider/$document')

type Props = {
  /** The version that has this place, and is read alone at the address. */
  versionId: string
  id: string
  name: string
  children: string
}

/** A link to a clause or section that stays: it names the version. */
export function Cited({ versionId, id, name, children }: Props) {
  const navigate = route.useNavigate()
  const { provider, document } = route.useParams()
  const go = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    void navigate({ search: ({ workspace }) => ({ workspace, to: versionId, view: 'text' }), hash: id })
  }
  return (
    <a
      className={classes.cited}
      href={`/documents/${provider}/${document}?to=${versionId}&view=text#${id}`}
      aria-label={`Link to ${name}`}
      onClick={go}
    >
      {children}
    </a>
  )
}

/** Returns the place that the address names, and shows it: what it is in comes later than the page. */
export function useNamedPlace(): string {
  const hash = useLocation({ select: (location) => location.hash })
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [hash])
  return hash
}
