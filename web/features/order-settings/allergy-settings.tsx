import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AllergyRule } from '#contracts/eating'
import { saveAllergyRule, standardAllergens } from '#contracts/health'
import { notifyFailure } from '../../lib/notify-outcome'
import { adminToast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'
import { TextArea } from '../../ui/text-field'
import { allergensQuery, allergyRuleQuery, foundQuery, saveList, saveRule } from './api'

/** Settings, Order Settings: what children can be allergic to, and what happens to a meal that has it. */
export const AllergySettings = () => {
  const rule = useQuery(allergyRuleQuery)
  const list = useQuery(allergensQuery)
  return (
    <Card>
      <CardHeading title="Allergies" hint="What families choose from, and what the menu names" />
      <CardBody className="flex flex-col gap-6">
        <QueryResult query={rule} failure="Failed to fetch the allergy rule">
          {(saved) => <RuleForm saved={saved.rule} />}
        </QueryResult>
        <QueryResult query={list} failure="Failed to fetch the allergens">
          {({ allergens }) => <OwnAllergens key={allergens.join('\n')} allergens={allergens} />}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

const RuleForm = ({ saved }: { saved: AllergyRule }) => {
  const saving = useMutation(saveRule)
  return (
    <Form
      schema={saveAllergyRule.body}
      defaultValues={{ rule: saved }}
      onSave={async (body) => {
        await saving.mutateAsync({ body })
        adminToast({ title: 'Allergy rule saved successfully' })
      }}
      failed="Failed to save the allergy rule"
      className="flex max-w-form flex-col gap-4"
    >
      <FormField
        name="rule"
        label="A meal with an allergen of the child"
        options={[
          { value: 'block', label: 'Cannot be ordered' },
          { value: 'warn', label: 'Can be ordered after a warning' },
        ]}
      />
      <SubmitButton busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Allergy Rule
      </SubmitButton>
    </Form>
  )
}

const isStandard = (name: string) => standardAllergens.some((one) => one === name)

const OwnAllergens = ({ allergens }: { allergens: readonly string[] }) => {
  const saving = useMutation(saveList)
  const found = useQuery(foundQuery).data?.found ?? []
  const [text, setText] = useState(allergens.filter((name) => !isStandard(name)).join('\n'))
  const save = async () => {
    const names = text.split('\n').map((name) => name.trim())
    try {
      await saving.mutateAsync({ body: { allergens: names.filter((name) => name !== '') } })
      adminToast({ title: 'Allergens saved successfully' })
    } catch (error) {
      notifyFailure(error, 'Failed to save the allergens')
    }
  }
  return (
    <div className="flex max-w-form flex-col gap-4">
      <p className="text-sm text-muted">{`Always on the list: ${standardAllergens.join(', ')}.`}</p>
      {found.length > 0 ? (
        <Notice tone="info" title="New on the list">
          <p>{`${found.join(', ')}: found on menu items. Save the list once you have seen it.`}</p>
        </Notice>
      ) : null}
      <TextArea
        label="The school's own allergens"
        hint="One a line, 20 at most"
        rows={5}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button
        busy={saving.isPending}
        busyLabel="Saving..."
        className="self-start max-sm:w-full"
        onClick={save}
      >
        Save Allergens
      </Button>
    </div>
  )
}
