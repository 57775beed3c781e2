import type { gradeNames } from '#contracts/identity'

type ChildGrade = (typeof gradeNames)[number]

export type Family = {
  username: string
  name: string
  email: string
  phone: string
  children: { name: string; grade: ChildGrade }[]
}

const surnames =
  'Banda Phiri Mwansa Tembo Zulu Mulenga Chanda Lungu Sakala Mumba Bwalya Kapembwa Ngoma Musonda Chilufya Daka Kunda Nyirenda Simukonda Hamoonga Siame Katongo Mubita Lubinda Chirwa Kaluba Moyo Sichone Njovu Kasonde'.split(
    ' ',
  )
const parents = [
  'Mwila',
  'Thandiwe',
  'Chola',
  'Natasha',
  'Bupe',
  'Joseph',
  'Mutinta',
  'Kelvin',
  'Luyando',
  'Grace',
]
const children = [
  'Chipo',
  'Taonga',
  'Mapalo',
  'Wezi',
  'Natasha',
  'Luse',
  'Temwani',
  'Kondwani',
  'Lweendo',
  'Emmanuel',
  'Mutale',
  'Zindaba',
]
const grades: ChildGrade[] = ['2', '7', 'K', '4', '9', '1', '6', '11', '3', '8', 'ELC', '5', '10', '12']

export const demoFamilies: Family[] = surnames.map((surname, index) => {
  const first = parents[index % parents.length]!
  const username = `${first}.${surname}`.toLowerCase()
  return {
    username,
    name: `${first} ${surname}`,
    email: `${username}@example.com`,
    phone: `+260 97 ${String(1_000_000 + index * 30_103).slice(0, 7)}`,
    children: Array.from({ length: index === 0 ? 2 : (index % 3) + 1 }, (_, place) => ({
      name: `${children[(index * 5 + place * 7) % children.length]} ${surname}`,
      grade: grades[(index * 3 + place * 5) % grades.length]!,
    })),
  }
})
