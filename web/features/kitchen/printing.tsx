import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { dateAndTime, schoolNow } from '../../lib/school-moment'
import { Button } from '../../ui/button'

type PrintButtonProps = {
  children?: string
  /** What is done first; the paper is printed whether it succeeds or not. */
  before?: () => Promise<unknown>
}

export const PrintButton = ({ children = 'Print', before }: PrintButtonProps) => {
  const [busy, setBusy] = useState(false)
  const print = async () => {
    setBusy(true)
    await before?.().catch(() => undefined)
    // What was read comes to the screen with the next task; the paper shows the screen as it is then.
    await new Promise((resolve) => setTimeout(resolve))
    flushSync(() => setBusy(false))
    window.print()
  }
  return (
    <Button
      variant="secondary"
      icon="print"
      busy={busy}
      onClick={() => (before ? void print() : window.print())}
    >
      {children}
    </Button>
  )
}

/**
 * What the foot of each printed page says: what it is, and when it was printed by the school's clock. Where its head
 * says something too, that is the title, and the note at its end.
 */
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

/**
 * What a table is, over its columns: on paper only, and again on each page that the table goes on to. A row that is one
 * cell would pass for a caption, so the last column has its own.
 */
export const PaperHead = ({ columns, children }: PaperHeadProps) => (
  <tr className="hidden print:table-row">
    <th scope="colgroup" colSpan={columns - 1} className="pb-1 text-base font-semibold text-ink">
      {children}
    </th>
    <td aria-hidden="true" />
  </tr>
)

/** On paper only: when this was printed, by the school's clock. */
export const PrintedAt = () => {
  const [at, setAt] = useState(() => schoolNow())
  useEffect(() => {
    const printing = () => setAt(schoolNow())
    window.addEventListener('beforeprint', printing)
    return () => window.removeEventListener('beforeprint', printing)
  }, [])
  return <p className="hidden text-sm print:block">{`Printed ${dateAndTime(at)}`}</p>
}
