import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { FamilyPage } from '#contracts/find'
import type { MealMarks } from '#contracts/health'
import { dietText, gradeLabel } from '../../lib/format'
import { paths } from '../../lib/paths'
import { familyMealMarksQuery } from '../../queries/identity'
import { Card, CardBody, CardHeading } from '../../ui/card'
import type { QueryState } from '../../ui/query-result'

type Child = FamilyPage['children'][number]

type FamilyChildrenProps = {
  page: FamilyPage
  /** Absent without access to health. */
  health: ((child: Child) => ReactNode) | undefined
}

/** With what they must not eat, and who may order for them. */
export const FamilyChildren = ({ page: { parent, children }, health }: FamilyChildrenProps) => {
  const marks = useQuery({ ...familyMealMarksQuery(parent.id), enabled: health !== undefined })
  return (
    <Card>
      <CardHeading title="Children" />
      <CardBody>
        {children.length === 0 ? (
          <p className="text-muted">No children are entered.</p>
        ) : (
          <ul className="flex flex-col divide-y divide-line">
            {children.map((child) => (
              <li key={child.id} className="flex flex-wrap items-start gap-x-3 gap-y-1 py-2.5">
                <div className="min-w-0 flex-1 basis-56">
                  <p className="font-semibold break-words">
                    {child.name} <span className="font-normal text-muted">{gradeLabel(child.grade)}</span>
                  </p>
                  {health ? <HealthText marks={marks} childId={child.id} /> : null}
                  <WhoMayOrder parent={parent} guardians={child.guardians} />
                </div>
                {health?.(child)}
              </li>
            ))}
          </ul>
        )}
      </CardBody>
    </Card>
  )
}

type HealthTextProps = { marks: QueryState<MealMarks>; childId: number }

const HealthText = ({ marks: { data, error }, childId }: HealthTextProps) => {
  if (data === undefined)
    return <p className="text-sm text-muted">{error ? 'Allergies could not be read' : '\u00a0'}</p>
  const { allergies = null, diet = 'none' } =
    data.students.find(({ studentId }) => studentId === childId) ?? {}
  return (
    <p className="text-sm">
      {allergies === null ? <span className="text-muted">Allergies not told yet</span> : null}
      {allergies?.length === 0 ? 'No allergies' : null}
      {allergies && allergies.length > 0 ? (
        <strong className="text-danger-700">{`Allergic to ${allergies.join(', ')}`}</strong>
      ) : null}
      {` · ${dietText[diet]}`}
    </p>
  )
}

/** Every guardian orders for the child. */
const WhoMayOrder = ({ parent, guardians }: Pick<FamilyPage, 'parent'> & Pick<Child, 'guardians'>) => {
  const known = guardians.length > 0 ? guardians : [{ userId: parent.id, name: parent.name, first: true }]
  return (
    <p className="text-sm text-muted">
      May order:{' '}
      {known.map(({ userId, name, first }, at) => (
        <span key={userId}>
          {at > 0 ? ', ' : ''}
          {userId === parent.id ? (
            name
          ) : (
            <Link to={paths.family(userId)} className="font-semibold text-brand-700 underline">
              {name}
            </Link>
          )}
          {known.length > 1 ? ` (${first ? 'first' : 'second'} guardian)` : null}
        </span>
      ))}
    </p>
  )
}
