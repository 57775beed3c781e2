import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { refreshes } from '../../lib/endpoint-query'
import { dateAndTime, schoolNow } from '../../lib/school-moment'
import { notifyFailure } from '../../lib/toast'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'

type PrintButtonProps = {
  children?: string
  /** Answers what notes the print, once somebody says that it printed. Printing goes on even if it fails. */
  before?: () => Promise<(() => Promise<unknown>) | null>
  /** Shows the icon alone where there is little room. */
  narrow?: boolean
}

export const PrintButton = ({ children = 'Print', before, narrow }: PrintButtonProps) => {
  const [busy, setBusy] = useState(false)
  const [asked, setAsked] = useState<(() => Promise<unknown>) | null>(null)
  const noting = useMutation({
    mutationFn: (note: () => Promise<unknown>) => note(),
    onSuccess: () => setAsked(null),
    onError: (error) => notifyFailure(error, 'Press Yes again.', 'The print was not noted'),
    onSettled: refreshes('ordering'),
  })
  const print = async () => {
    setBusy(true)
    const note = (await before?.().catch(() => null)) ?? null
    // New data reaches the screen with the next task.
    await new Promise((resolve) => setTimeout(resolve))
    flushSync(() => setBusy(false))
    window.print()
    setAsked(() => note)
  }
  return (
    <>
      <Button
        variant="secondary"
        icon="print"
        busy={busy}
        className={narrow ? 'max-lg:w-11 max-lg:gap-0 max-lg:px-0' : undefined}
        onClick={() => (before ? void print() : window.print())}
      >
        <span className={narrow ? 'max-lg:sr-only' : undefined}>{children}</span>
      </Button>
      <ConfirmDialog
        open={asked !== null}
        title="Did it print?"
        confirm="Yes, it printed"
        cancel="No"
        busy={noting.isPending}
        onConfirm={() => asked && noting.mutate(asked)}
        onClose={() => setAsked(null)}
      >
        What is printed then counts as known; only later changes are shown as new.
      </ConfirmDialog>
    </>
  )
}

/** Footer of printed pages: title and print time (school clock), with the note at its end. */
export const usePaperFoot = (title: string, note = ''): void =>
  useEffect(() => {
    const { style } = document.documentElement
    const printing = () => {
      const words = `${title} · printed ${dateAndTime(schoolNow())}`
      style.setProperty('--paper', JSON.stringify(words))
      style.setProperty('--paper-title', JSON.stringify(title))
      style.setProperty('--paper-note', JSON.stringify(note))
    }
    window.addEventListener('beforeprint', printing)
    return () => {
      window.removeEventListener('beforeprint', printing)
      for (const name of ['--paper', '--paper-title', '--paper-note']) style.removeProperty(name)
    }
  }, [title, note])

type PaperHeadProps = { columns: number; children: ReactNode }

/** Repeated table caption for print. A single-cell row would pass for a caption, so the last column has its own cell. */
export const PaperHead = ({ columns, children }: PaperHeadProps) => (
  <tr className="hidden print:table-row">
    <th scope="colgroup" colSpan={columns - 1} className="pb-1 text-base font-semibold text-ink">
      {children}
    </th>
    <td aria-hidden="true" />
  </tr>
)

/** Print only, school clock. */
export const PrintedAt = () => {
  const [at, setAt] = useState(() => schoolNow())
  useEffect(() => {
    const printing = () => setAt(schoolNow())
    window.addEventListener('beforeprint', printing)
    return () => window.removeEventListener('beforeprint', printing)
  }, [])
  return <p className="hidden text-sm print:block">{`Printed ${dateAndTime(at)}`}</p>
}
