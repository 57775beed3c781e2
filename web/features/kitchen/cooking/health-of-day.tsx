import type { ReactNode } from 'react'
import type { AllergyOfDay, KitchenReply } from '#contracts/kitchen'
import { classes } from '../../../lib/classes'
import { dietWords } from '../../../lib/diet-words'
import { classLabel, counted } from '../../../lib/format'

/** What is known of those who eat; allergies are null where the school does not keep them. */
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

/** What the children who eat on a day must not have, first of all on the screen and on the sheet. */
export const HealthOfDay = ({ allergies, diets = [], medicalNotes = [] }: KitchenHealth) => (
  <>
    {allergies ? (
      <Part title="Allergies" none="None declared" danger>
        {allergies.map((allergy) => (
          <Fact key={allergy.name} of={allergy.name}>
            {childrenInWords(allergy)}
          </Fact>
        ))}
      </Part>
    ) : null}
    {diets.length > 0 ? (
      <Part title="Diets">
        {diets.map(({ diet, children, meals }) => (
          <Fact key={diet} of={dietWords[diet]}>
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

/** Such as "3 children, 1 of them ordered Satay". */
const childrenInWords = ({ children, meals }: AllergyOfDay): string =>
  [
    counted(children, 'child', 'children'),
    ...meals.map(({ menuItem, count }) => `${count} of them ordered ${menuItem}`),
  ].join(', ')
