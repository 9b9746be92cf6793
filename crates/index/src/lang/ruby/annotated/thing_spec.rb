require "spec_helper"
#> import - from spec_helper -

RSpec.describe Thing::Part do
#> namespace Thing::Part vis=private sig="RSpec.describe Thing::Part" end=28
  let(:one) { 1 }
  subject { described_class.new }

  before { @ready = true }

  describe "#name" do
#> namespace Thing::Part::#name
    it "is set" do
#> test Thing::Part::#name::is·set cc=2 sig="it "is set"" end=2
      expect(subject.name).to eq(1) if one
    end

    it { is_expected.to be }
    specify 'quoted', :slow do
#> test Thing::Part::#name::quoted
    end
    it "waits"
  end

  context "when #{broken}" do
#> namespace Thing::Part::when·#{broken}
    %w[a b].each do |letter|
      it("has #{letter}") { expect(letter).to be }
#> test Thing::Part::when·#{broken}::has·#{letter}
    end
    def helper(x) = x
#> method Thing::Part::when·#{broken}::helper
  end
  shared_examples :a_thing do
#> namespace Thing::Part::a_thing
    let(:x) { 1 }
  end

  it_behaves_like :a_thing
end
