import { Suspense, useEffect, useState } from 'react'
import { findFeatures } from '#contracts/find'
import type { User } from '#contracts/identity'
import { lazyComponent } from '../../lib/lazy'
import { Button } from '../../ui/button'

const FindDialog = lazyComponent(() => import('./find-dialog').then((m) => m.FindDialog))

/** Also by the key `/`; absent without access. */
export const FindButton = ({ user }: { user: User }) => {
  const [open, setOpen] = useState(false)
  const mayFind = findFeatures.some((feature) => user.allowedFeatures.includes(feature))
  useSlashKey(mayFind, () => setOpen(true))
  if (!mayFind) return null
  return (
    <>
      <Button variant="ghost" icon="search" aria-keyshortcuts="/" onClick={() => setOpen(true)}>
        <span className="max-lg:sr-only">Find</span>
        <kbd
          aria-hidden="true"
          className="ml-2 rounded border border-line px-1.5 text-xs text-muted max-lg:hidden"
        >
          /
        </kbd>
      </Button>
      <Suspense fallback={null}>
        {open ? <FindDialog user={user} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  )
}

/** Ignores fields and open dialogs. */
const useSlashKey = (active: boolean, onSlash: () => void) => {
  useEffect(() => {
    if (!active) return
    const pressed = (event: KeyboardEvent) => {
      const isBusy = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented
      if (event.key !== '/' || isBusy || isWriting(event.target) || document.querySelector('[role="dialog"]'))
        return
      event.preventDefault()
      onSlash()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  })
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
