import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { KitchenTotal, AllergyOfDay, KitchenReply } from '#contracts/kitchen'
import { classes } from '../../../lib/classes'
import { counted, dayName, wholeNumber, dietText, classLabel, namesakeApart } from '../../../lib/format'
import { paths } from '../../../lib/paths'
import { schoolDate, schoolNow } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { SelectBox, type Choosing } from '../../../ui/selection'
import { ChangesButton, DayStateText, LateChanges } from '../changes'
import { completable, dateOf, rowKey, type KitchenDay } from './kitchen-groups'
import { PortionTable } from './portion-table'

type DayCardProps = {
  day: KitchenDay
  health: KitchenHealth
  selection: Choosing<{ id: string }>
  changed: ReadonlySet<string>
  onComplete: (rows: readonly KitchenTotal[]) => void
  onList: () => void
  /** Of today alone. */
  onChanges: (() => void) | undefined
}

export const DayCard = ({ day, health, onComplete, onList, onChanges, ...choice }: DayCardProps) => {
  const name = dayName(day.dayOfWeek)
  const open = [...day.primary, ...day.secondary].filter(completable)
  const parts = [
    { title: 'Primary Portions', rows: day.primary },
    { title: 'Secondary Portions', rows: day.secondary },
  ]
  return (
    <Card className="print:not-first:break-before-page">
      <CardHeading
        title={dateOf(day)}
        hint={<DayHint day={day} isToday={onChanges !== undefined} />}
        actions={
          <div className="flex flex-wrap gap-2 max-sm:[&_.btn]:px-2 print:hidden">
            {onChanges ? (
              <>
                <Link to={paths.serve} className="btn btn-secondary btn-sm">
                  Hatch
                </Link>
                <ChangesButton onPress={onChanges} />
              </>
            ) : null}
            <Button variant="secondary" size="sm" aria-label={`Class lists of ${name}`} onClick={onList}>
              Class lists
            </Button>
          </div>
        }
      />
      <CardBody className="flex flex-col gap-4 print:block">
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2">
          <DayNumbers day={day} />
          <div className="flex flex-wrap items-center gap-x-2 gap-y-2 empty:hidden lg:gap-x-4 max-lg:w-full print:hidden">
            {open.length > 0 ? (
              <SelectBox
                label="Select all"
                name={`Select all of ${name}`}
                rows={open.map((row) => ({ id: rowKey(row) }))}
                selection={choice.selection}
              />
            ) : null}
            {open.length > 0 && day.mealDate <= schoolDate(schoolNow()) ? (
              <Button
                icon="check"
                className="ml-auto max-sm:px-3 max-sm:[&_svg]:hidden"
                aria-label={`Complete Day: ${name}`}
                onClick={() => onComplete(open)}
              >
                Complete Day
              </Button>
            ) : null}
          </div>
        </div>
        <HealthOfDay {...health} />
        <LateChanges date={day.mealDate} />
        {parts.map(({ title, rows }) =>
          rows.length > 0 ? (
            <PortionTable key={title} title={title} day={name} date={dateOf(day)} rows={rows} {...choice} />
          ) : null,
        )}
      </CardBody>
    </Card>
  )
}

const DayHint = ({ day, isToday }: { day: KitchenDay; isToday: boolean }) => (
  <span className="flex flex-wrap gap-x-3">
    {isToday ? <DayStateText date={day.mealDate} /> : null}
    {day.completed > 0 ? (
      <strong className="text-brand-800">{`${wholeNumber(day.completed)} completed`}</strong>
    ) : null}
    {day.cancelledLate > 0 ? (
      <strong className="text-danger-700">{`${wholeNumber(day.cancelledLate)} cancelled late`}</strong>
    ) : null}
  </span>
)

/** Side by side on a phone too. */
const DayNumbers = ({ day }: { day: KitchenDay }) => (
  <dl
    aria-label={`Numbers of ${dateOf(day)}`}
    className="flex flex-wrap justify-between gap-x-3 gap-y-1 max-sm:w-full sm:gap-x-8"
  >
    <DayNumber name="Total" count={day.total} />
    <DayNumber name="Primary" count={day.primaryTotal} />
    <DayNumber name="Secondary" count={day.secondaryTotal} />
    <DayNumber name="Not paid" count={day.unpaid} tone="text-warning-700" />
    <DayNumber name="Ill" count={day.absent} tone="text-danger-700" />
  </dl>
)

type DayNumberProps = { name: string; count: number; tone?: string }

const DayNumber = ({ name, count, tone }: DayNumberProps) => (
  <div className="flex flex-col-reverse print:flex-row-reverse print:items-baseline print:gap-1">
    <dt className="text-xs text-muted">{name}</dt>
    <dd className={classes('money text-xl leading-tight font-bold', count > 0 && tone)}>
      {wholeNumber(count)}
    </dd>
  </div>
)

/** Allergies are null where the school records none. */
export type KitchenHealth = Pick<KitchenReply, 'allergies' | 'diets' | 'medicalNotes'>

/** What concerns those who eat on a date, `YYYY-MM-DD`. */
export const healthOn = (
  date: string,
  { allergies, diets = [], medicalNotes = [] }: KitchenHealth,
): KitchenHealth => {
  const isThen = ({ mealDate }: { mealDate: string }) => mealDate === date
  return {
    allergies: allergies && allergies.filter(isThen),
    diets: diets.filter(isThen),
    medicalNotes: medicalNotes.filter(isThen),
  }
}

/** Nothing where nothing is declared. Diets and notes are last on a screen, all is first on paper. */
const HealthOfDay = ({ allergies, diets = [], medicalNotes = [] }: KitchenHealth) => (
  <>
    {allergies && allergies.length > 0 ? (
      <Part title="Allergies" className="border-danger-700 text-lg leading-snug! text-danger-700">
        {allergies.map((allergy) => (
          <Fact key={allergy.name} of={allergy.name} who={allergy.who}>
            {childrenText(allergy)}
          </Fact>
        ))}
      </Part>
    ) : null}
    {diets.length > 0 ? (
      <Part title="Diets" className="order-last border-ink">
        {diets.map(({ diet, children, meals }) => (
          <Fact key={diet} of={dietText[diet]}>
            {`${counted(children, 'child', 'children')} (${meals
              .map(({ menuItem, count }) => `${count} × ${menuItem}`)
              .join(', ')})`}
          </Fact>
        ))}
      </Part>
    ) : null}
    {medicalNotes.length > 0 ? (
      <Part title="Medical notes" className="order-last border-ink">
        {medicalNotes.map((note, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- two of one name may have the same note
          <Fact key={place} of={`${namesakeApart(note)}, ${classLabel(note)}`}>
            {note.medicalNote}
          </Fact>
        ))}
      </Part>
    ) : null}
  </>
)

type PartProps = { title: string; className: string; children: ReactNode }

const Part = ({ title, className, children }: PartProps) => (
  <section
    aria-label={title}
    className={classes(
      'rounded-md border-2 px-3 py-2 print:mb-1.5 print:break-inside-avoid print:py-1 print:text-sm print:leading-5!',
      className,
    )}
  >
    <h3 className="font-semibold">{title}</h3>
    <ul className="flex flex-wrap gap-x-5 print:block">{children}</ul>
  </section>
)

type FactProps = { of: string; who?: AllergyOfDay['who']; children: string }

/** `who`: those whose meal contains it stand out. */
const Fact = ({ of, who = [], children }: FactProps) => (
  <li className="break-words">
    <strong>{of}</strong>
    {`: ${children}`}
    {who.length > 0 ? (
      <span className="block text-base text-ink print:text-sm">
        {who.map((child, at) => {
          const name = `${namesakeApart(child)}, ${classLabel(child)}`
          return (
            // oxlint-disable-next-line react/no-array-index-key -- two of one name may be in one class
            <span key={at}>
              {at > 0 ? ' · ' : ''}
              {child.inMeal ? <strong>{`${name} (in the meal)`}</strong> : name}
            </span>
          )
        })}
      </span>
    ) : null}
  </li>
)

const childrenText = ({ children, meals }: AllergyOfDay): string =>
  [
    counted(children, 'child', 'children'),
    ...meals.map(({ menuItem, count }) => `${count} of them ordered ${menuItem}`),
  ].join(', ')
