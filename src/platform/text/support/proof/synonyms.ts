/** Words and their irregular forms that say the same, by language: a line is a group. */
export const SYNONYMS: Readonly<Record<string, string>> = {
  en: `
find finds found discover discovered discovery detect detected
founded founder founding establish established establishment
lead leads led leader leading head headed direct directed manage managed run runs ran chair chaired
make makes made produce produced production manufacture manufactured
give gives gave given provide provided offer offered grant granted supply supplied
take takes took taken
hold holds held holding
keep keeps kept retain retained store stored storage save saved
pay pays paid payment payable
say says said state stated report reported declare declared
tell tells told inform informed notify notified
think thinks thought believe believed
know knows knew known
show shows showed shown demonstrate demonstrated indicate indicated reveal revealed display displayed
see sees saw seen observe observed
speak speaks spoke spoken talk
choose chooses chose chosen select selected selection elect elected pick picked
teach teaches taught
lie lies lay located situated stand stands stood sits
go goes went gone travel travelled traveled
come comes came
reach reaches reached attain attained achieve achieved
bring brings brought
catch caught
drive drives drove driven
fly flies flew flown flight
freeze freezes froze frozen
meet meets met
sign signs signed signature
wear wears wore worn
bear bears bore born birth
die dies died dead death deceased
kill killed
strike strikes struck striking
hurt injured injury injuries wounded
help helps helped assist assisted assistance aid
need needs needed require requires requirement
ask asks asked request requested
answer answered reply replied respond responded response
try tries tried attempt attempted
use uses used using usage utilize utilise employ
work works worked working
live lives lived reside resides resident residents inhabitant inhabitants
move moves moved relocate relocated
change changes changed alter altered modify modified modification
replace replaces replaced replacement substitute substituted
cause causes caused due because reason result resulted
deliver delivered delivery ship shipped shipment
repair repaired fix fixed
test tests tested check checked examine examined inspect inspected
measure measured measurement
weigh weighs weighed weight
cost costs price prices priced
wage wages salary salaries pay
car cars automobile automobiles vehicle vehicles
firm firms company companies business businesses corporation enterprise
film films movie movies
house houses home homes
doctor doctors physician physicians
medicine medicines drug drugs medication
illness disease diseases sickness
worker workers employee employees staff
boss manager managers chief
city cities town towns
country countries nation nations
people persons person individuals
kid kids children child
area areas region regions zone
quarter quarters
annual annually yearly
daily
monthly
roughly about approximately around circa
slight slightly little somewhat
nearly almost
entire entirely whole wholly complete completely
important significant significantly substantial substantially considerable considerably
big major
main primary principal chief
begin commence commenced
error errors mistake mistakes fault faults
rule rules regulation regulations
law laws act statute
agreement contract treaty
war conflict
ship ships vessel vessels boat
aircraft airplane airplanes plane planes
picture pictures photograph photographs photo photos image images
free gratis
permission consent authorization authorisation authorized
immediately instantly
often frequently frequent
begin onset
fee charge charges
goal aim target objective
amount quantity sum
budget
double doubled twice
tripled triple thrice
half halved halves
succeed succeeded follow followed
publish published publication release released
write wrote written author authored
speed speeds velocity
electric electrical electricity
autumn fall
complete completed completion finish
repay repaid reimburse reimbursed refund refunded
damage damaged damages
terminate terminated termination cancel cancelled canceled cancellation
automatic automatically
default defaults
`,
  de: `
finden findet fand gefunden entdecken entdeckt entdeckte entdeckung
entwerfen entwirft entwarf entwarfen entworfen entwurf
gründen gründet gründete gegründet gründer gründung
leiten leitet leitete geleitet leiter leitung führen führt führte geführt führung
herstellen hergestellt produzieren produziert produzierte
geben gibt gab gegeben bieten bietet bot geboten anbieten anbot angeboten gewähren gewährt
nehmen nimmt nahm genommen
halten hält hielt gehalten
speichern speichert speicherte gespeichert aufbewahren aufbewahrt
zahlen zahlt zahlte gezahlt bezahlen bezahlt bezahlte zahlung entrichten
sagen sagt sagte gesagt erklären erklärt erklärte mitteilen mitteilt mitteilte mitgeteilt
informieren informiert informierte unterrichten benachrichtigen benachrichtigt
zeigen zeigt zeigte gezeigt belegen belegt
sehen sieht sah gesehen
sprechen spricht sprach gesprochen
wählen wählt wählte gewählt wahl
liegen liegt lag gelegen befinden befindet befand befindlich steht stehen stand gelegenen
gehen geht ging gegangen
kommen kommt kam gekommen
bringen bringt brachte gebracht
fahren fährt fuhr gefahren fahrt verkehren verkehrt verkehrte
fliegen fliegt flog geflogen flug
treffen trifft traf getroffen
unterzeichnen unterzeichnet unterzeichnete unterschreiben unterschrieb unterschrieben
tragen trägt trug getragen
geboren geburt
sterben stirbt starb gestorben tod tot
helfen hilft half geholfen hilfe
brauchen braucht benötigen benötigt benötigte erfordern
nutzen nutzt nutzte genutzt benutzen benutzt verwenden verwendet verwendete nutzung verwendung gebrauchen
arbeiten arbeitet arbeitete gearbeitet
wohnen wohnt wohnte leben lebt lebte
ändern ändert änderte geändert änderung verändern verändert
ersetzen ersetzt ersetzte austauschen ausgetauscht
verursachen verursacht verursachte ursache wegen grund
liefern liefert lieferte geliefert lieferung
reparieren repariert reparatur
prüfen prüft prüfte geprüft prüfung testen getestet untersuchen untersucht untersuchung
messen misst maß gemessen messung
wiegen wiegt wog gewogen gewicht
kosten kostet kostete preis preise
auto autos wagen pkw fahrzeug fahrzeuge fahrzeugs
firma firmen unternehmen unternehmens betrieb gesellschaft
haus häuser gebäude
arzt ärzte mediziner
medikament medikamente arznei arzneimittel
krankheit krankheiten erkrankung
mitarbeiter mitarbeitern beschäftigte beschäftigten angestellte angestellten
stadt städte kommune gemeinde gemeinden
land länder staat staaten
leute personen person menschen
gebiet gebiete region regionen
jährlich pro
anzahl zahl
lohn gehalt vergütung entgelt
etwa rund circa ungefähr ca
wichtig bedeutend erheblich wesentlich
haupt hauptsächlich
fehler irrtum mangel
regel regeln vorschrift vorschriften
vertrag vertrags vertrages verträge abkommen vereinbarung
schiff schiffe
bild bilder foto fotos
kostenlos gratis unentgeltlich kostenfrei
zustimmung einwilligung erlaubnis
sofort umgehend unverzüglich
oft häufig
gebühr gebühren
ziel zweck
menge betrag summe
verdoppeln verdoppelt verdoppelte doppelt
halbieren halbiert halbierte
veröffentlichen veröffentlicht veröffentlichte veröffentlichung erschienen erschien herausgeben
schreiben verfassen verfasst verfasste
erstatten erstattet erstattete erstattung zurückzahlen zurückgezahlt rückzahlung
kündigen kündigt kündigte gekündigt kündigung
einreichen einreicht einreichte eingereicht einreichung vorlegen vorgelegt stellen
übernehmen übernimmt übernahm übernommen übernahme
beginnen anfangen
entstehen entsteht entstand entstanden
bestehen besteht bestand bestanden
betreiben betreibt betrieb betrieben
verlassen verlässt verließ
schließen
entscheiden entscheidet entschied entschieden entscheidung
beschließen beschließt beschloss beschlossen beschluss
verbieten verbot
treten tritt trat getreten
erscheinen
vorwerfen vorwirft vorwarf vorgeworfen vorwurf
fordern fordert forderte gefordert verlangen verlangt verlangte
gewähren
wachsen
stündlich
tragen
schlagen schlägt schlug geschlagen
rufen ruft rief gerufen
ziehen zieht zog gezogen
brechen bricht brach gebrochen
schaffen schuf geschaffen
werfen wirft warf geworfen
verlaufen
`,
};

/** Words that say nearly nothing of their own, by language: that they are missing in a quote changes nothing. */
export const LIGHT_WORDS: Readonly<Record<string, string>> = {
  en: `use uses used using have has had do does did amount amounts total value number numbers called named known take takes
place located based make makes made become became come comes came according also however therefore thus overall total
respectively namely such certain given whole year years time period case cases way there company firm organization
organisation group one ones them it they per approximately about roughly`,
  de: `beträgt betrug betragen gibt gab wert höhe gesamt insgesamt genannt namens bekannt erfolgt erfolgte erfolgen handelt
sowie laut gemäß jahr jahre jahren zeit zeitraum fall jeweils derzeit zudem dabei damit unternehmen firma gesellschaft
gruppe art weise rund etwa circa kam kommt macht wurde pro`,
};
