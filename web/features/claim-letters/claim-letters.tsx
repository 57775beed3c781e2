import { Dialog, DialogPanel, DialogTitle } from '@headlessui/react'
import { useQuery, mutationOptions } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { renderSVG } from 'uqr'
import type { QueryOf } from '#contracts/endpoint'
import { roll } from '#contracts/enrolment'
import { portal } from '#contracts/identity'
import { type ClaimCodeLetter, claimCodes } from '#contracts/roll-import'
import { call } from '../../lib/call'
import { useCloseOnBack } from '../../lib/close-on-back'
import { endpointQuery } from '../../lib/endpoint-query'
import { counted, longDate } from '../../lib/format'
import { schoolDate } from '../../lib/school-moment'
import { rollQuery } from '../../queries/enrolment'
import { Button } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'

type ClaimLettersProps = {
  codes: readonly ClaimCodeLetter[]
  onClose?: () => void
}

/** New codes are shown once, one letter per family, to be printed. */
export const ClaimLetters = ({ codes, onClose }: ClaimLettersProps) => {
  const [open, setOpen] = useState(codes.length > 0)
  const [asked, setAsked] = useState(false)
  const ask = () => setAsked(true)
  useCloseOnBack(open, ask)
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

/** Before unload. */
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

/** By the first child's class, "2A" before "10A". */
const byClass = (one: ClaimCodeLetter, other: ClaimCodeLetter): number =>
  classOf(one).localeCompare(classOf(other), 'en', { numeric: true })

type LetterProps = { letter: ClaimCodeLetter; school: string }

/** One page per family. */
export const Letter = ({ letter, school }: LetterProps) => {
  const { code, link, guardian, students, expiresAt } = letter
  return (
    <article
      aria-label={`Letter to ${guardian ?? namesOf(letter)}`}
      className="card flex flex-col gap-5 p-5 sm:p-8 print:gap-4 print:p-0"
    >
      <header className="flex flex-wrap items-start justify-between gap-x-4 border-b border-line pb-4">
        <div className="min-w-0">
          <p className="font-display text-lg font-semibold break-words sm:text-2xl print:text-2xl">
            {school}
          </p>
          <p className="text-lg">School lunches</p>
        </div>
        <p className="min-w-0 text-lg font-semibold break-words">{students[0]?.class}</p>
      </header>
      <p className="text-lg wrap-anywhere">{guardian ?? `To the family of ${namesOf(letter)}`}</p>
      <div className="flex flex-col gap-2">
        <p>Good day, with this code you order school lunches for</p>
        <ul className="flex list-disc flex-col gap-1 pl-6">
          {students.map(({ id, name, class: of }) => (
            <li key={id} className="wrap-anywhere">
              <strong>{name}</strong>
              {of ? `, ${of}` : null}
            </li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-4 rounded-lg border border-ink p-4">
        <div>
          <p>Your code</p>
          <p className="text-2xl font-bold tracking-widest sm:text-3xl print:text-3xl">{spaced(code)}</p>
        </div>
        <img
          src={`data:image/svg+xml,${encodeURIComponent(renderSVG(link))}`}
          alt="The address with your code, to scan"
          className="size-32"
        />
      </div>
      <Steps link={link} />
      <p>
        The code can be used once, until <strong>{longDate(schoolDate(expiresAt))}</strong>. Whoever has it
        can put the children on their own account, so please keep it to yourself. If a child is missing here
        or is not yours, or the code does not work, tell the school office.
      </p>
    </article>
  )
}

const Steps = ({ link }: Pick<ClaimCodeLetter, 'link'>) => (
  <div className="flex flex-col gap-2">
    <h2 className="font-semibold">How to begin</h2>
    <ol className="flex list-decimal flex-col gap-2 pl-6">
      <li>
        Open <strong className="wrap-anywhere">{addressOf(link)}</strong> or scan the square with your phone.
      </li>
      <li>
        You have no account yet: enter your name and the code, choose a username and a password, and press
        “Create Account”.
      </li>
      <li>
        You have an account already: press “Login”. On the page “Students” press “Add children with a code”
        and enter the code.
      </li>
      <li>Choose the meals in the Menu Calendar.</li>
    </ol>
  </div>
)

const namesOf = ({ students }: ClaimCodeLetter): string =>
  new Intl.ListFormat('en').format(students.map(({ name }) => name))

/** "BCDF GHJK". */
const spaced = (code: string): string => code.match(/.{1,4}/g)!.join(' ')

/** Without the code and `https://`. */
const addressOf = (link: string): string => link.split('?', 1)[0]!.replace(/^https:\/\//, '')

export const schoolQuery = endpointQuery('identity', portal, {})

type Filters = Pick<QueryOf<typeof roll>, 'text' | 'class'>

/** Children without an account, by class. */
const waiting = (filters: Filters) =>
  ({ ...filters, claimed: false, left: false, sort: 'class' }) satisfies QueryOf<typeof roll>

export const waitingQuery = (filters: Filters & { page: number }) => rollQuery(waiting(filters))

const maxPerPage = 100

const everyoneOf = async (filters: Filters): Promise<number[]> => {
  const ids: number[] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { ...waiting(filters), page, limit: maxPerPage }
    const { data, metadata } = await call(roll, { query })
    ids.push(...data.map(({ id }) => id))
    pages = metadata.totalPages
  }
  return ids
}

/** `together` treats the chosen children as one family. */
export type Addressed = { ids: readonly number[]; together?: boolean } | { all: Filters }

export const makeLetters = mutationOptions({
  mutationFn: async (to: Addressed) => {
    const studentIds = 'ids' in to ? [...to.ids] : await everyoneOf(to.all)
    const together = 'ids' in to && to.together === true
    return call(claimCodes, { body: { studentIds, ...(together && { together }) } })
  },
})
