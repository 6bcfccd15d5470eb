import { ActionIcon, Button, Kbd } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { lazyPart } from '../lazy-part.ts'

/** Loaded when it is opened first: the start of the app is smaller without it. */
const MemberPalette = lazyPart(async () => ({ default: (await import('./palette.tsx')).MemberPalette }))
const VisitorPalette = lazyPart(async () => ({ default: (await import('./palette.tsx')).VisitorPalette }))

/** Opens the command palette; ⌘K and Ctrl+K do too, also while something is typed. */
export function PaletteButton({ isForVisitors = false }: { isForVisitors?: boolean }) {
  const Palette = isForVisitors ? VisitorPalette : MemberPalette
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useHotkeys([['mod+K', open]], [])
  return (
    <>
      <Button
        variant="default"
        onClick={open}
        visibleFrom="md"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={<Kbd size="xs">{/Mac|iP/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</Kbd>}
        fw={400}
      >
        Find
      </Button>
      <ActionIcon variant="default" size={36} onClick={open} hiddenFrom="md" aria-label="Find">
        <IconSearch size={18} aria-hidden />
      </ActionIcon>
      {isOpen && (
        <Suspense fallback={null}>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
