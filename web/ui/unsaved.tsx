import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useRef, useState } from 'react'
import { goBackOnceClosed, useCloseOnBack } from '../lib/close-on-back'
import { useTyped } from '../lib/typed-forms'
import { ConfirmDialog } from './confirm-dialog'

type Guard = {
  report: (form: string, isUnsaved: boolean) => void
  /** Asks before it goes if a form has unsaved changes. */
  leave: (go: () => void) => void
}

const GuardContext = createContext<Guard>({ report: () => undefined, leave: (go) => go() })

export const useLeave = () => useContext(GuardContext).leave

/** Every `Form` reports itself. */
export const useUnsaved = (isUnsaved: boolean): void => {
  useTyped(isUnsaved)
  const { report } = useContext(GuardContext)
  const form = useId()
  useEffect(() => {
    report(form, isUnsaved)
    return () => report(form, false)
  }, [report, form, isUnsaved])
}

/** Asks before a link, Back, `useLeave` or the browser leaves unsaved changes. */
export const UnsavedGuard = ({ children }: { children: ReactNode }) => {
  const unsaved = useRef(new Set<string>())
  const [isUnsaved, setUnsaved] = useState(false)
  const [going, setGoing] = useState<{ go: () => void } | null>(null)
  const goBack = () => {
    unsaved.current.clear()
    setUnsaved(false)
    goBackOnceClosed()
  }
  useCloseOnBack(isUnsaved, () => setGoing({ go: goBack }))
  const guard = useMemo<Guard>(
    () => ({
      report: (form, isUnsaved) => {
        unsaved.current[isUnsaved ? 'add' : 'delete'](form)
        setUnsaved(unsaved.current.size > 0)
      },
      leave: (go) => (unsaved.current.size > 0 ? setGoing({ go }) : go()),
    }),
    [],
  )
  useEffect(() => {
    let isAllowed = false
    const onClick = (event: MouseEvent) => {
      const link = linkAway(event)
      if (!link || isAllowed || unsaved.current.size === 0) return
      event.preventDefault()
      event.stopPropagation()
      const go = () => {
        isAllowed = true
        link.click()
        isAllowed = false
      }
      setGoing({ go })
    }
    const onUnload = (event: BeforeUnloadEvent) => {
      if (unsaved.current.size > 0) event.preventDefault()
    }
    window.addEventListener('click', onClick, { capture: true })
    window.addEventListener('beforeunload', onUnload)
    return () => {
      window.removeEventListener('click', onClick, { capture: true })
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [])
  return (
    <GuardContext value={guard}>
      {children}
      <ConfirmDialog
        open={going !== null}
        title="Leave without saving?"
        confirm="Leave Without Saving"
        cancel="Stay Here"
        danger
        onConfirm={() => {
          setGoing(null)
          going?.go()
        }}
        onClose={() => setGoing(null)}
      >
        Your changes are not saved yet. If you leave, they are lost.
      </ConfirmDialog>
    </GuardContext>
  )
}

/** A link that takes this page away, not one to a new tab, a file or a place on the page. */
const linkAway = (event: MouseEvent): HTMLAnchorElement | null => {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
  if (!link || !isPlain || link.target === '_blank' || link.hasAttribute('download')) return null
  const isHere = link.pathname === window.location.pathname && link.search === window.location.search
  return isHere ? null : link
}
