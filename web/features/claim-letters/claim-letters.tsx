import { Dialog, DialogPanel, DialogTitle } from '@headlessui/react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ClaimCodeLetter } from '#contracts/roll-import'
import { useBackCloses } from '../../lib/back-closes'
import { counted } from '../../lib/format'
import { Button } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'
import { schoolQuery } from './api'
import { Letter } from './letter'

type ClaimLettersProps = {
  codes: readonly ClaimCodeLetter[]
  /** Told when somebody has closed them, after a question. */
  onClose?: () => void
}

/**
 * The letters of new claim codes over the whole page, one a family, to be printed: nobody is shown them again. Nothing where no
 * family got one.
 */
export const ClaimLetters = ({ codes, onClose }: ClaimLettersProps) => {
  const [open, setOpen] = useState(codes.length > 0)
  const [asked, setAsked] = useState(false)
  const ask = () => setAsked(true)
  useBackCloses(open, ask)
  useQuestionOfBrowser(open)
  const close = () => {
    setOpen(false)
    onClose?.()
  }
  if (!open) return null
  return (
    <Dialog
      open
      onClose={ask}
      className="claim-letters fixed inset-0 z-40 overflow-y-auto bg-page print:static print:overflow-visible"
    >
      <DialogPanel className="mx-auto flex max-w-3xl flex-col gap-5 p-4 sm:p-6 print:block print:max-w-none print:p-0 print:pr-px">
        <Letters codes={codes} onClose={ask} />
      </DialogPanel>
      <ConfirmDialog
        open={asked}
        title="Are all letters printed?"
        confirm="Yes, Close"
        cancel="Keep Them Open"
        danger
        onConfirm={close}
        onClose={() => setAsked(false)}
      >
        These codes are not shown again. A family whose letter was not printed needs a new one, with a new
        code.
      </ConfirmDialog>
    </Dialog>
  )
}

/** Before the page is left or loaded anew. */
const useQuestionOfBrowser = (open: boolean) =>
  useEffect(() => {
    if (!open) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [open])

type LettersProps = { codes: readonly ClaimCodeLetter[]; onClose: () => void }

const Letters = ({ codes, onClose }: LettersProps) => {
  const [unmailed, setUnmailed] = useState(false)
  const mailed = codes.filter((letter) => letter.mailed).length
  const shown = codes.filter((letter) => !(unmailed && letter.mailed)).toSorted(byClass)
  const school = useQuery(schoolQuery)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        <DialogTitle className="font-display text-2xl font-semibold">
          {counted(shown.length, 'letter')}
        </DialogTitle>
        <div className="flex gap-2">
          <Button variant="secondary" onClick={onClose}>
            Close
          </Button>
          <Button icon="print" disabled={!school.data} onClick={() => window.print()}>
            Print
          </Button>
        </div>
      </div>
      <div className="flex flex-col gap-3 print:hidden">
        <Notice tone="warning" title="These codes are shown this once">
          <p>
            {codes.length === 1
              ? 'Print the letter now.'
              : 'Print the letters now, one page for each family, in the order of the classes.'}{' '}
            {mailedToo(mailed)}
          </p>
        </Notice>
        {mailed > 0 && mailed < codes.length ? (
          <Checkbox
            label="Only families that get no mail"
            checked={unmailed}
            onChange={({ target }) => setUnmailed(target.checked)}
          />
        ) : null}
      </div>
      <QueryResult query={school} failure="Failed to fetch the name of the school">
        {({ schoolName }) => (
          <ol className="flex flex-col gap-5 print:block">
            {shown.map((letter) => (
              <li key={letter.code} className="print:break-inside-avoid print:not-first:break-before-page">
                <Letter letter={letter} school={schoolName} />
              </li>
            ))}
          </ol>
        )}
      </QueryResult>
    </>
  )
}

const mailedToo = (mailed: number): string =>
  mailed === 0
    ? ''
    : `${counted(mailed, 'family', 'families')} ${mailed === 1 ? 'gets its' : 'get their'} code by mail too.`

const classOf = ({ students }: ClaimCodeLetter): string => students[0]?.class ?? ''

/** As they are handed out: by the class of the first child, "2A" before "10A". */
const byClass = (one: ClaimCodeLetter, other: ClaimCodeLetter): number =>
  classOf(one).localeCompare(classOf(other), 'en', { numeric: true })
