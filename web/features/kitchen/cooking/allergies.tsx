import type { AllergyOfDay } from '#contracts/kitchen'
import { counted } from '../../../lib/format'

/** What the children who eat on a day must not have, first of all on the screen and on the sheet. */
export const Allergies = ({ allergies }: { allergies: readonly AllergyOfDay[] }) => (
  <section
    aria-label="Allergies"
    className="rounded-md border-2 border-danger-700 px-3 py-2 text-danger-700 print:mb-3 print:break-inside-avoid"
  >
    <h3 className="font-semibold">Allergies</h3>
    {allergies.length === 0 ? <p>None declared</p> : null}
    <ul>
      {allergies.map((allergy) => (
        <li key={allergy.name}>
          <strong>{allergy.name}</strong>
          {`: ${childrenInWords(allergy)}`}
        </li>
      ))}
    </ul>
  </section>
)

/** Such as "3 children, 1 of them ordered Satay". */
const childrenInWords = ({ children, meals }: AllergyOfDay): string =>
  [
    counted(children, 'child', 'children'),
    ...meals.map(({ menuItem, count }) => `${count} of them ordered ${menuItem}`),
  ].join(', ')
