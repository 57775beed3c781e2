import { renderSVG } from 'uqr'
import type { ClaimCodeLetter } from '#contracts/roll-import'
import { longDate } from '../../lib/format'
import { schoolDate } from '../../lib/school-moment'

type LetterProps = { letter: ClaimCodeLetter; school: string }

/** A page for one family: whose school, which children, the code, and how to begin with it. */
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

/** As people read it: "BCDF GHJK". */
const spaced = (code: string): string => code.match(/.{1,4}/g)!.join(' ')

/** As people type it: without the code, and without what every browser adds. */
const addressOf = (link: string): string => link.replace(/\?.*$/, '').replace(/^https:\/\//, '')
