import type { KitchenTotal, AllergyOfDay, KitchenReply } from '#contracts/kitchen'
import { counted, dayName, wholeNumber, dietText, classLabel } from '../../../lib/format'
import { Badge } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { dateOf, type KitchenDay } from './kitchen-groups'
import { LateChanges } from '../changes'
import { PortionTable } from './portion-table'
import type { ReactNode } from 'react'
import { classes } from '../../../lib/classes'

type DayCardProps = {
  day: KitchenDay
  health: KitchenHealth
  chosen: ReadonlySet<string>
  changed: ReadonlySet<string>
  onToggle: (row: KitchenTotal) => void
  onList: () => void
}

export const DayCard = ({ day, health, onList, ...choice }: DayCardProps) => (
  <Card className="print:not-first:break-before-page">
    <CardHeading
      title={dateOf(day)}
      actions={
        <>
          <Badge tone="accent">{counted(day.total, 'portion')}</Badge>
          {day.completed > 0 ? <Badge tone="brand">{`${wholeNumber(day.completed)} completed`}</Badge> : null}
          {day.unpaid > 0 ? <Badge tone="warning">{`${wholeNumber(day.unpaid)} unpaid`}</Badge> : null}
          {day.absent > 0 ? <Badge tone="info">{`${wholeNumber(day.absent)} absent`}</Badge> : null}
          {day.cancelledLate > 0 ? (
            <Badge tone="danger">{`${day.cancelledLate} cancelled late`}</Badge>
          ) : null}
          <Button
            variant="secondary"
            size="sm"
            icon="list"
            className="print:hidden"
            aria-label={`Class lists of ${dayName(day.dayOfWeek)}`}
            onClick={onList}
          >
            Class lists
          </Button>
        </>
      }
    />
    <CardBody className="flex flex-col gap-6 print:block">
      <HealthOfDay {...health} />
      <LateChanges date={day.mealDate} />
      {day.primary.length > 0 ? (
        <PortionTable
          title="Primary Portions"
          day={dayName(day.dayOfWeek)}
          date={dateOf(day)}
          rows={day.primary}
          {...choice}
        />
      ) : null}
      {day.secondary.length > 0 ? (
        <PortionTable
          title="Secondary Portions"
          day={dayName(day.dayOfWeek)}
          date={dateOf(day)}
          rows={day.secondary}
          {...choice}
        />
      ) : null}
    </CardBody>
  </Card>
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

/** Shown first on screen and paper. */
const HealthOfDay = ({ allergies, diets = [], medicalNotes = [] }: KitchenHealth) => (
  <>
    {allergies ? (
      <Part title="Allergies" none="None declared" danger>
        {allergies.map((allergy) => (
          <Fact key={allergy.name} of={allergy.name}>
            {childrenText(allergy)}
          </Fact>
        ))}
      </Part>
    ) : null}
    {diets.length > 0 ? (
      <Part title="Diets">
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
      <Part title="Medical notes">
        {medicalNotes.map((note, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- two of one name may have the same note
          <Fact key={place} of={`${note.student}, ${classLabel(note)}`}>
            {note.medicalNote}
          </Fact>
        ))}
      </Part>
    ) : null}
  </>
)

type PartProps = { title: string; none?: string; danger?: boolean; children: readonly ReactNode[] }

const Part = ({ title, none, danger, children }: PartProps) => (
  <section
    aria-label={title}
    className={classes(
      'rounded-md border-2 px-3 py-2 print:mb-3 print:break-inside-avoid',
      danger ? 'border-danger-700 text-danger-700' : 'border-ink',
    )}
  >
    <h3 className="font-semibold">{title}</h3>
    {children.length === 0 ? <p>{none}</p> : null}
    <ul>{children}</ul>
  </section>
)

const Fact = ({ of, children }: { of: string; children: string }) => (
  <li className="break-words">
    <strong>{of}</strong>
    {`: ${children}`}
  </li>
)

const childrenText = ({ children, meals }: AllergyOfDay): string =>
  [
    counted(children, 'child', 'children'),
    ...meals.map(({ menuItem, count }) => `${count} of them ordered ${menuItem}`),
  ].join(', ')
