/**
 * One small vault in seven languages, searched through the real analyzer, chunker, index and search by words and with
 * the stand-in embedder: a question in a language finds the note in that language first.
 */
import type { OperationContext } from '@vault-mcp/api/context';
import { search } from '@vault-mcp/api/operations/search';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IndexedVault, indexVault } from '../support/indexed-vault.ts';
import { operationContext } from '../support/reading-context.ts';

const FILES = {
  'en/Heat pump.md':
    '# Heat pump\n\nThe outdoor unit was serviced in spring. The technician replaced the circulation filters and measured the flow temperature.\n',
  'en/Garden.md': '# Garden\n\nTomatoes want sun and regular watering; prune the side shoots every week.\n',
  'de/Wärmepumpe.md':
    '# Wärmepumpe\n\nDie Außeneinheit wurde im Frühjahr gewartet. Der Techniker hat die Filter ausgetauscht und die Vorlauftemperatur gemessen.\n',
  'de/Straßenverkehr.md':
    '# Straßenverkehr\n\nDer Führerschein muss bis 2033 umgetauscht werden; die Gebühr beträgt 25 Euro.\n',
  'ja/旅行.md': '# 京都旅行\n\n秋に京都へ行く予定です。清水寺と金閣寺を見学して、旅館に二泊します。\n',
  'ja/料理.md': '# 料理\n\n味噌汁には昆布と鰹節の出汁を使います。豆腐とわかめを最後に入れます。\n',
  'zh/保险.md': '# 汽车保险\n\n车辆保险将于十二月到期,需要提前续保并缴纳保险费。\n',
  'zh/食谱.md': '# 食谱\n\n红烧肉需要五花肉、酱油、冰糖和生姜,小火炖一个小时。\n',
  'th/บ้าน.md': '# ซ่อมบ้าน\n\nหลังคารั่วตอนฝนตก ช่างจะมาซ่อมหลังคาวันเสาร์หน้า\n',
  'th/อาหาร.md': '# อาหาร\n\nต้มยำกุ้งใส่ตะไคร้ ใบมะกรูด และน้ำมะนาว\n',
  'ar/عقد.md': '# عقد الإيجار\n\nينتهي عقد إيجار الشقة في نهاية السنة ويجب تجديده قبل شهرين.\n',
  'ar/وصفة.md': '# وصفة\n\nتحضير الحمص يحتاج إلى طحينة وليمون وثوم وزيت زيتون.\n',
  'ko/여행.md': '# 제주 여행\n\n렌터카를 예약하고 한라산 등산을 준비한다. 숙소는 서귀포에 있다.\n',
};

let indexed: IndexedVault;
let context: OperationContext;
beforeAll(async () => {
  indexed = await indexVault({ files: FILES });
  await indexed.settled();
  await indexed.until(() => indexed.reader.indexerStatus()?.state === 'ready', 'the indexer to say so');
  context = await operationContext(indexed);
});
afterAll(() => indexed.remove());

async function firstPath(query: string, words = false): Promise<string | undefined> {
  const answer = await search(words ? { ...context, embedder: null } : context, { query });
  return answer.results[0]?.path;
}

describe('a question in', () => {
  it.each([
    ['English', 'when were the filters replaced', 'en/Heat pump.md'],
    ['English, in another form of the word', 'servicing technicians', 'en/Heat pump.md'],
    ['German', 'Wann wurde die Außeneinheit gewartet?', 'de/Wärmepumpe.md'],
    ['German, without umlauts and sharp s', 'fuhrerschein strassenverkehr', 'de/Straßenverkehr.md'],
    ['Japanese', '京都の旅館', 'ja/旅行.md'],
    ['Japanese, two characters', '出汁', 'ja/料理.md'],
    ['Chinese', '车辆保险什么时候到期', 'zh/保险.md'],
    ['Chinese, two characters', '生姜', 'zh/食谱.md'],
    ['Thai', 'ซ่อมหลังคา', 'th/บ้าน.md'],
    ['Thai, one word inside a run', 'ตะไคร้', 'th/อาหาร.md'],
    ['Arabic', 'متى ينتهي عقد الإيجار', 'ar/عقد.md'],
    ['Arabic, with vowel marks', 'طَحِينَة', 'ar/وصفة.md'],
    ['Korean', '한라산 등산', 'ko/여행.md'],
  ])('%s finds its note first, by words and with an embedder', async (_language, query, path) => {
    expect(await firstPath(query, true)).toBe(path);
    expect(await firstPath(query)).toBe(path);
  });
});
