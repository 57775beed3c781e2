import { cutText } from '#kernel/cut-text'
import { bareHead, studentWords } from './roll-columns.decide'

const setOf = (words: string) => new Set(words.split(' '))
const students = setOf(`${studentWords} children`)
const staff = setOf(
  'teacher teachers staff principal headteacher admin administrator employee faculty nurse driver cook secretary bursar accountant librarian matron caretaker cleaner hod parent parents guardian guardians mother father aide assistant visitor',
)
const gone = setOf(
  'withdrawn withdrew tobedeleted deleted inactive left leaver leavers archived graduated graduate alumni alumnus alumna expelled deceased exited former dropped dropout discontinued terminated cancelled rejected declined applicant enquiry prospective waitlisted unenrolled',
)
const here = setOf(
  'active current enrolled reenrolled registered registration single main admitted attending present new returning continuing regular repeated promoted roll on in transferred from guest day boarder head boy girl prefect yes',
)
const deniable = setOf('active current enrolled registered admitted attending present roll')
const negations = setOf('not non no longer never ex off past pre')

const tellsWho =
  /^(user|person|member|account|student|pupil|learner|enrolment|enrollment|enrol|enroll|admission|record|roll|current)?(role|roles|type|status|state|position|category)$|^(user|person|member)group$|^(type|role|status)of(user|person|member|student|pupil|learner)$|^(designation|enrolment|enrollment)$/
const isHere = /^(is)?(currently)?(active|enrolled|onroll)$/
const isGone = /^(is|has)?(left|leaver|withdrawn|inactive|archived|deleted|graduated|transferredout)$/
const dateOfLeaving =
  /^((date|day|year)(of)?)?(leaving|left|withdrawal|withdrawn|exit|departure)(date|day|year|on)?$/

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []
const isYes = (cell: string): boolean => /^(y|yes|true|1)$/i.test(cell)
const isNo = (cell: string): boolean => /^(n|no|false|0)$/i.test(cell)

const isPupilWord = (word: string): boolean => students.has(word) || here.has(word)

const tellsPupil = (text: string): boolean => wordsOf(text).every(isPupilWord) && /\p{L}{2}/u.test(text)

const saysGone = (text: string): boolean => wordsOf(text).some((word) => gone.has(word))

const tellsNoPupil = (text: string): boolean => {
  const words = wordsOf(text)
  const isOut = words.some((word) => word.startsWith('transfer')) && words.at(-1)!.endsWith('out')
  const isElsewhere =
    words.includes('transferred') && !words.some((word) => ['in', 'into', 'from'].includes(word))
  const rest = words.filter((word) => !negations.has(word))
  const isDenied =
    negations.has(words[0] ?? '') &&
    rest.length > 0 &&
    rest.every((word) => students.has(word) || deniable.has(word))
  const isStaff = words.some((word) => staff.has(word)) && !words.some((word) => students.has(word))
  return isOut || isElsewhere || isDenied || isStaff || saysGone(text)
}

type Cells = readonly string[]
type Table = { heads: Cells; rows: readonly { cells: Cells }[] }

type Status = {
  /** What says that a row is no pupil; null where nothing does. */
  noPupil: (cells: Cells) => string | null
  notes: string[]
}

/** By columns of roles, statuses, yes and no, and days of leaving. `notes` name the words of a status that nobody knows. */
export const statusIn = (table: Table): Status => {
  const columns = table.heads.flatMap((head, place) => {
    const tells = noPupilUnder(table, { head, place })
    return tells ? [{ place, tells }] : []
  })
  return {
    noPupil: (cells) =>
      columns.map(({ place, tells }) => tells(cells[place] ?? '')).find((told) => told !== null) ?? null,
    notes: table.heads.flatMap((head, place) => unknownWords(table, { head, place }) ?? []),
  }
}

type Column = { head: string; place: number }
type Tells = (cell: string) => string | null

const filledIn = (rows: Table['rows'], place: number): string[] =>
  rows.flatMap(({ cells }) => cells[place] || [])

/** Null for a column that says nothing of it. */
const noPupilUnder = ({ rows }: Table, { head, place }: Column): Tells | null => {
  const bare = bareHead(head)
  const withHead = (is: boolean, cell: string) => (is ? `${head} ${cell}` : null)
  if (tellsWho.test(bare)) return (cell) => (tellsNoPupil(cell) ? cell : null)
  if (isHere.test(bare)) return (cell) => withHead(isNo(cell), cell)
  if (isGone.test(bare) || dateOfLeaving.test(bare))
    return isOfFew(filledIn(rows, place), rows.length)
      ? (cell) => withHead(cell !== '' && !isNo(cell), cell)
      : null
  const words = fewWordsIn(rows, place)
  const noPupils = new Set(words.filter(tellsNoPupil))
  const isStatus = words.some(tellsPupil) && words.every((word) => noPupils.has(word) || tellsPupil(word))
  return isStatus && noPupils.size > 0 ? (cell) => (noPupils.has(cell) ? cell : null) : null
}

const maxStatuses = 12

/** The distinct texts of a column; none where they are too many for a status. */
const fewWordsIn = (rows: Table['rows'], place: number): string[] => {
  const words = new Set<string>()
  for (const { cells } of rows) {
    if (cells[place]) words.add(cells[place])
    if (words.size > maxStatuses) return []
  }
  return [...words]
}

/** Some systems write a day of leaving for everybody, years ahead. */
const isOfFew = (filled: Cells, rows: number): boolean =>
  filled.length * 2 <= rows || filled.every((cell) => isYes(cell) || isNo(cell))

const maxTold = 5

/** Words of a status that are not known, and remarks that a child has left. */
const unknownWords = ({ rows }: Table, { head, place }: Column): string | null => {
  const isStatus = tellsWho.test(bareHead(head)) && /status|role|enrol/i.test(head)
  if (!isStatus && !/remark|comment|note/i.test(head)) return null
  const isTold = (cell: string) =>
    cell !== head && (isStatus ? !tellsPupil(cell) && !tellsNoPupil(cell) : saysGone(cell))
  const words = [...new Set(filledIn(rows, place).filter(isTold))]
  if (words.length === 0) return null
  const told = words.slice(0, maxTold).map((word) => cutText(word, 40))
  const more = words.length > maxTold ? ` and ${words.length - maxTold} more` : ''
  return `${head} says ${told.join(', ')}${more}: these rows are read as pupils`
}
