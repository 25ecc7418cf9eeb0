/**
 * Writes the two documents of the example vault: `node examples/make-pdfs.mjs [folder]`. They are committed, so this
 * only runs when their text changes. Danger: the output has to be the same bytes every time (a test regenerates and
 * compares), hence the fixed dates, the built-in fonts and no compression.
 */
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';

const MARGIN = 56;
const TABLE_WIDTH = 483;

function heading(doc, text, size = 15) {
  doc.moveDown(0.8).font('Helvetica-Bold').fontSize(size).text(text, MARGIN).moveDown(0.3);
  doc.font('Helvetica').fontSize(10.5);
}

function paragraph(doc, text) {
  doc.font('Helvetica').fontSize(10.5).text(text, MARGIN, undefined, { width: TABLE_WIDTH, lineGap: 2 }).moveDown(0.5);
}

function table(doc, rows, columnStyles) {
  doc.font('Helvetica').fontSize(10);
  doc.x = MARGIN;
  doc.table({ data: rows, columnStyles, rowStyles: (row) => (row === 0 ? { backgroundColor: '#e8e8e8' } : {}) });
  doc.moveDown(0.6);
}

function invoice(doc) {
  doc.font('Helvetica-Bold').fontSize(20).text('Ashdown Heating Ltd');
  paragraph(doc, 'Unit 6, Tannery Yard, Elmstow EL3 1DA\nPhone 01632 960 166, office@ashdown.example');
  heading(doc, 'Invoice 2026-0417', 17);
  paragraph(doc, 'Date: 17 April 2026\nCustomer: Mara Lindqvist and Jonas Feld, 14 Quarry Lane, Elmstow EL4 7QN');
  paragraph(doc, 'Supply and installation of an air source heat pump, replacing the existing gas boiler.');
  table(
    doc,
    [
      ['Item', 'Quantity', 'Unit price', 'Amount'],
      ['Heat pump Aurelia AH-9, serial AH9-2603-77415', '1', '5,210.00', '5,210.00'],
      ['Hot water cylinder 200 l, coil 3.2 m2', '1', '1,180.00', '1,180.00'],
      ['Radiators K2 600 x 1200', '4', '195.00', '780.00'],
      ['Pipework, insulation, anti-vibration feet', '1', '610.00', '610.00'],
      ['Labour, two engineers, two days', '32 h', '36.25', '1,160.00'],
      ['Total', '', '', '8,940.00'],
      ['Less government grant, reference GR-26-118045', '', '', '-5,000.00'],
      ['Payable', '', '', '3,940.00'],
    ],
    [250, 60, '*', '*'],
  );
  heading(doc, 'Payment');
  paragraph(
    doc,
    'Please pay within fourteen days to Ashdown Heating Ltd, reference 2026-0417. Paid in full on 24 April 2026 with thanks.',
  );
  heading(doc, 'Warranty');
  paragraph(
    doc,
    'Five years on the compressor and two years on all other parts from the date of installation, provided that the ' +
      'unit is serviced every twelve months by a certified engineer. Keep this invoice as proof of the start date.',
  );
}

function policyFront(doc) {
  doc.font('Helvetica-Bold').fontSize(20).text('Kestrel Mutual');
  heading(doc, 'Home insurance policy KM-4471-0092', 17);
  paragraph(doc, 'Policyholders: Mara Lindqvist, Jonas Feld\nInsured address: 14 Quarry Lane, Elmstow EL4 7QN');
  paragraph(doc, 'Period of insurance: 1 March 2026 to 28 February 2027. Annual premium 451.20, including tax.');
  heading(doc, 'Summary of cover');
  table(
    doc,
    [
      ['Section', 'Sum insured', 'Excess'],
      ['Buildings', '385,000', '250'],
      ['Contents', '60,000', '250'],
      ['Escape of water', 'included', '350'],
      ['Subsidence', 'included', '1,000'],
      ['Bicycles away from home', '1,200 each', '100'],
      ['Accidental damage to screens', '2,000', '75'],
    ],
    [220, '*', '*'],
  );
  heading(doc, 'Cancellation');
  paragraph(
    doc,
    'The policy renews for a further year unless notice in writing reaches us one month before the end of the period. ' +
      'You may withdraw within fourteen days of receiving these documents and the premium is returned in full.',
  );
}

function policyTerms(doc) {
  doc.addPage();
  heading(doc, 'Section 1: Buildings', 15);
  paragraph(
    doc,
    'We pay for loss or damage caused by fire, lightning, explosion, storm, escape of water from fixed pipes and ' +
      'appliances, theft, impact by vehicles or falling trees, and subsidence of the site.',
  );
  heading(doc, 'What is not insured', 12.5);
  paragraph(
    doc,
    'Wear and tear, rot, insects and vermin. Storm damage to gates, hedges and fences. Slates and tiles that were loose ' +
      'before the storm. Damage while the home has been unoccupied for more than sixty consecutive days.',
  );
  heading(doc, 'Section 2: Contents', 15);
  paragraph(
    doc,
    'We replace contents as new. Single items of jewellery above 2,500 are insured only when listed in the schedule. ' +
      'Listed: one ring, white gold with sapphire, valued at 3,400 on 12 January 2024.',
  );
  heading(doc, 'Section 3: Away from home', 15);
  paragraph(
    doc,
    'Bicycles are insured when locked to an immovable object. Luggage is insured up to 1,500 for trips of at most ' +
      'sixty days. Instruments, drones and boats are not insured under this section.',
  );
}

function policyClaims(doc) {
  doc.addPage();
  heading(doc, 'Endorsements', 15);
  paragraph(doc, 'F2 Flood: damage by the rising of a watercourse, lake or groundwater is excluded.');
  paragraph(
    doc,
    'L4 Leak detection: sensors are fitted under bath, sink and washing machine. The excess for escape of water is ' +
      'reduced from 500 to 350 while they are kept in working order.',
  );
  heading(doc, 'How to make a claim', 15);
  paragraph(
    doc,
    'Telephone 01632 960 118 within fourteen days. Quote the policy number. Take photographs before you clean up and ' +
      'keep damaged items until our loss adjuster has released them. Burst pipes: turn the water off first.',
  );
  heading(doc, 'Complaints', 15);
  paragraph(
    doc,
    'Write to the Head of Customer Relations, Kestrel Mutual, 1 Falcon Square, Elmstow EL1 1AA. We answer within eight ' +
      'weeks. If you remain dissatisfied you may turn to the ombudsman free of charge.',
  );
}

const DOCUMENTS = [
  { file: 'invoice-2026-0417.pdf', title: 'Invoice 2026-0417', date: '2026-04-17T09:00:00Z', pages: [invoice] },
  {
    file: 'kestrel-home-policy-2026.pdf',
    title: 'Home insurance policy KM-4471-0092',
    date: '2026-02-03T09:00:00Z',
    pages: [policyFront, policyTerms, policyClaims],
  },
];

async function write(folder, { file, title, date, pages }) {
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    compress: false,
    lang: 'en',
    info: { Title: title, CreationDate: new Date(date), Producer: 'vault-mcp examples', Creator: 'vault-mcp examples' },
  });
  const written = pipeline(doc, createWriteStream(join(folder, file)));
  for (const page of pages) page(doc);
  doc.end();
  await written;
}

const folder = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), 'vault', 'Files');
mkdirSync(folder, { recursive: true });
for (const document of DOCUMENTS) await write(folder, document);
