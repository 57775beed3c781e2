const shapes: readonly [RegExp, (whole: string) => string][] = [
  [/^\d+$/, (whole) => whole],
  // 1,234 and 1,234.50.
  [/^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/, (whole) => whole.replaceAll(',', '')],
  // 1.234,50.
  [/^[1-9]\d{0,2}(\.\d{3})+,\d+$/, (whole) => whole.replaceAll('.', '').replace(',', '.')],
  [
    /^[1-9]\d{0,2}(?:( \d{3})+|('\d{3})+)([.,]\d+)?$/,
    (whole) => whole.replaceAll(/[ ']/g, '').replace(',', '.'),
  ],
  [/^\d*\.\d+$/, (whole) => whole],
  [/^\d+,\d{1,2}$/, (whole) => whole.replace(',', '.')],
]

const maxDigits = 9
const maxAmount = 60

type Told = 'bare' | 'plus' | 'minus' | 'credit' | 'debit'

/** Negative where money went out; `told` says how the text showed it. */
export type ParsedAmount = { ngwee: number; told: Told }

// Currency and direction signs may each stand once, at either end.
const currency = '(?:KWACHA|ZMW|ZMK|ZK|K)'
const ends: readonly [Told | 'currency', RegExp, RegExp][] = [
  ['currency', new RegExp(`^${currency}(?=[^A-Z])`), new RegExp(`(?<=[^A-Z])${currency}$`)],
  ['plus', /^\+/, /\+$/],
  ['minus', /^-/, /-$/],
  ['credit', /^(CREDIT|CR\.?)/, /(CREDIT|CR\.?|C)$/],
  ['debit', /^(DEBIT|DR\.?)/, /(DEBIT|DR\.?|DB|D)$/],
]

/** Reads "1,234.50", "1.234,50", "ZMW 45", "(45.50)", "45.50 DR"; null for what is no amount or ambiguous, as 1.234 and 45k are. */
export const amountFromText = (text: string): ParsedAmount | null => {
  if (text.length > maxAmount || /\dk$/.test(text.trim())) return null
  const found: (Told | 'currency')[] = []
  let digits = plainText(text)
  for (let before = ''; before !== digits;) {
    before = digits
    if (/^\([^()]*\)$/.test(digits)) {
      digits = digits.slice(1, -1).trim()
      found.push('minus')
    }
    for (const [kind, ...patterns] of ends)
      for (const pattern of patterns) {
        const rest = digits.replace(pattern, '').trim()
        if (rest !== digits) found.push(kind)
        digits = rest
      }
  }
  const told = found.filter((kind) => kind !== 'currency')
  const ngwee = ngweeFromDigits(digits)
  if (ngwee === null || told.length > 1 || found.length - told.length > 1) return null
  const goesOut = ngwee > 0 && (told[0] === 'minus' || told[0] === 'debit')
  return { ngwee: goesOut ? -ngwee : ngwee, told: told[0] ?? 'bare' }
}

export const ngweeFromText = (text: string): number | null => amountFromText(text)?.ngwee ?? null

const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\p{Pd}|\u2212/gu, '-')
    .replaceAll(/[’‘`´ʼ]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '')
    .trim()

const ngweeFromDigits = (digits: string): number | null => {
  const shape = shapes.find(([pattern]) => pattern.test(digits))
  if (!shape) return null
  const [whole = '', decimals = ''] = shape[1](digits).split('.')
  // Three decimals may be thousands: refused as ambiguous.
  if (decimals.length === 3 && whole.length <= 3 && !/[, ']/.test(digits)) return null
  if (/[1-9]/.test(decimals.slice(2)) || whole.length > maxDigits) return null
  return Number(whole || '0') * 100 + Number(decimals.slice(0, 2).padEnd(2, '0'))
}

const words = {
  in: `c cr crd crdt credit credits credited h haben gutschrift kredit eingang i in incoming inflow inflows inward inwards
    deposit deposits deposited lodgement lodgment received receive receipt receipts credito haber abono abonos ingreso
    entrada entradas entree entrees entrant entrants recu recue encaissement versement depot crediteur acredito inbound plus
    income incomes einzahlung einzahlungen zugang einnahme einnahmen deposito depositos recebido recebidos recebimento
    receita receitas bij`,
  out: `d dr db dbt dbit debit debits debited s soll lastschrift belastung ausgang o out outgoing outflow outflows outward
    outwards withdrawal withdrawals withdraw withdrawn withdrew sent send sending spent debito debe cargo cargos egreso saida
    saidas salida salidas sortie sorties sortant sortants envoye decaissement retrait retiro debiteur charge charges fee
    fees payout payouts disbursement disbursements outbound minus expense expenses expenditure auszahlung auszahlungen abgang
    ausgabe ausgaben retirada retiradas enviado enviados despesa despesas gasto gastos af`,
}
const directions = new Map(
  (['in', 'out'] as const).flatMap((way) => words[way].split(/\s+/).map((word) => [word, way] as const)),
)

const neutral = new Set(
  'money cash paid pay payment transfer funds amount account transaction txn bank direct'.split(' '),
)

// CashIn, MONEYOUT.
const joined = /(?<![\p{L}])(cash|money|paid|pay|transfer|funds?)(in|out)(?![\p{L}])/gu

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .trim()

type Direction = 'in' | 'out'

const isMinus = (cell: string): boolean => /^\(?(\p{Pd}|\u2212)\)?$/u.test(cell)

/** "CR", "Haben", "Money out", "+"; null when neither or both. */
export const directionOf = (cell: string): Direction | null => {
  const text = plain(cell).replaceAll(joined, '$1 $2')
  if (/^\(?\+\)?$/.test(text)) return 'in'
  if (isMinus(text)) return 'out'
  const told = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !neutral.has(word))
  const [first, ...others] = new Set(told.map((word) => directions.get(word) ?? null))
  return first && others.length === 0 ? first : null
}

const pairs = ['credit debit', 'cr dr', 'cr db', 'c d', 'in out', 's h', 'soll haben', 'af bij'].map((pair) =>
  pair.split(' '),
)
const joinedPairs = new Set(
  'creditdebit debitcredit crdr drcr crdb dbcr cd dc inout sh sens entrytype +'.split(' '),
)
/** Words beside such a pair that do not make it a column of something else. */
const besidePairs = new Set(
  'or and the transaction txn trans tran trx entry indicator ind flag mark marker type code sign side way'.split(
    ' ',
  ),
)
const directionWord = /\b(cr|dr|c|d|credit|debit|direction|in|out|i|o|h|s|sign|indicator|type|way)\b/i

/** `Dr/Cr`, `Debit or Credit Indicator`, `CRDR_FLAG`, `Direction`. */
export const isDirectionHead = (head: string): boolean => {
  const words = head
    .toLowerCase()
    .split(/[\s_/.|()-]+/)
    .filter(Boolean)
  const others = words.filter((word) => !besidePairs.has(word))
  return (
    words.includes('direction') ||
    joinedPairs.has(others.join('')) ||
    joinedPairs.has(words.join('')) ||
    pairs.some((pair) => others.length === pair.length && pair.every((word) => others.includes(word)))
  )
}
/** `Card Type` tells debit cards from credit cards. */
const isCardHead = (head: string): boolean => /card|scheme|brand/i.test(head)

type Cells = readonly string[]

/**
 * An unmapped column whose words mark outgoing amounts: without it payouts would be income. `money` is the column of amounts; those in `taken`
 * are something else. Where signs or marks tell some amounts, only a head that speaks of direction counts. Null for none. Yields per column.
 */
export function* unmappedDirection(
  { heads, rows }: { heads: Cells; rows: readonly { cells: Cells }[] },
  { money, taken }: { money: string; taken: readonly (string | null | undefined)[] },
): Generator<undefined, string | null> {
  const place = heads.indexOf(money)
  const amounts = rows.map(({ cells }) => amountFromText(cells[place] ?? ''))
  const income = rows.filter((_, index) => (amounts[index]?.ngwee ?? 0) > 0)
  const isTold = amounts.some((amount) => amount && (amount.ngwee < 0 || amount.told !== 'bare'))
  const wayOf = remembered(directionOf)
  for (const [column, head] of heads.entries()) {
    yield
    if (taken.includes(head) || isCardHead(head) || (isTold && !isDirectionHead(head))) continue
    const words = income.map(({ cells }) => cells[column] ?? '').filter((word) => word !== '')
    // A lone minus stands for nothing elsewhere.
    const isSign = Math.abs(column - place) === 1 && words.length > 0 && words.every(isMinus)
    if (isSign || tellsDirection(head, words, { wayOf, isTold })) return head
  }
  return null
}

const tellsDirection = (
  head: string,
  words: Cells,
  { wayOf, isTold }: { wayOf: typeof directionOf; isTold: boolean },
): boolean => {
  if (!isTold && isDirectionHead(head) && new Set(words).size > 1) return true
  const known = words.filter((word) => wayOf(word) !== null)
  const ways = new Set(known.map(wayOf))
  if (!ways.has('out') || known.length * 2 < words.length) return false
  // A single letter such as S or D may mean something else.
  const isPlain = ways.has('in') || known.some((word) => word.length > 1)
  return isPlain || directionWord.test(head.replaceAll(/[^\p{L}]/gu, ' '))
}

const remembered = <Answer>(ask: (text: string) => Answer): ((text: string) => Answer) => {
  const answers = new Map<string, Answer>()
  return (text) => {
    const known = answers.get(text)
    if (known !== undefined) return known
    const answer = ask(text)
    answers.set(text, answer)
    return answer
  }
}

const failing =
  /fail|unsuccess|\bnot\b|\bno\b|\bnon\b|incomplete|invalid|pending|declin|reject|refus|cancel|expir|error|void|abort|blocked|on hold|\bheld\b|bounce|dishono|insufficient|time[d ]*out|initiat|await|waiting|queue|in progress|ongoing|scheduled|draft|\bnever\b|\bto be\b|\bwill\b|\balmost\b|\b(tf|ta|tip|tp|te)\b/
const unfinished = /\bun(?=[a-z])|process(?!ed)|partial(?!ly refund| refund)/
const takenBack = /\bback$|revers|refund|returned|rolled ?back|charge[sd]? ?back|dispute/
const successful =
  /success|succeeded|complete|settled|posted|processed|\bpaid\b|approved|credited|cleared|captured|received|confirmed|executed|booked|collected|fulfilled|finali[sz]ed|^(ok|done|ts)$/

export const outcomeOf = (cell: string): 'done' | 'failed' | 'taken back' | null => {
  const text = plain(cell)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  if (failing.test(text) || unfinished.test(text)) return 'failed'
  if (takenBack.test(text)) return 'taken back'
  return successful.test(text) ? 'done' : null
}

const isFailing = (cell: string): boolean => ['failed', 'taken back'].includes(outcomeOf(cell) ?? '')

const statusHead = /\b(status|state|result|outcome|response|statut|etat|estado|resultado|ergebnis)\b/

/** A status column left out of a mapping although it marks rows whose money never came; such rows would count. Null for none. */
export const unmappedStatus = (
  { heads, rows }: { heads: readonly string[]; rows: readonly { cells: readonly string[] }[] },
  mapped: readonly (string | null | undefined)[],
): string | null => {
  const found = heads.find((head, place) => {
    if (!statusHead.test(plain(head).replaceAll('_', ' ')) || mapped.includes(head)) return false
    const statuses = rows.map(({ cells }) => cells[place] ?? '').filter((status) => status !== '')
    const outcomes = new Set(statuses.map(outcomeOf))
    return statuses.some(isFailing) || (outcomes.has('done') && outcomes.has(null))
  })
  return found ?? null
}
